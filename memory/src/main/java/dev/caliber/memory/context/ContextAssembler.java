package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.kernel.config.PcpConfig.Dosage;
import dev.caliber.memory.CleanupStep;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.QuotingRoom;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import java.util.List;
import java.util.Optional;

/**
 * Composes the context for the next model call under a hard budget, and can say of every candidate
 * why it is in or out. What was composed can be composed again, to the byte.
 */
public interface ContextAssembler {

  /** Over a store that was opened with the tables of memory and {@link #tables}. */
  static ContextAssembler of(
      RecordStore store, MemoryConfig config, MemoryParts parts, TokenCounters counters) {
    RecordedAssembler assembler = new RecordedAssembler(store, config, parts, counters);
    return parts
        .access()
        .<ContextAssembler>map(policy -> new GuardedAssembler(assembler, policy, Optional.empty()))
        .orElse(assembler);
  }

  static List<Table<?>> tables() {
    return List.of(Window.TABLE, NamedRecords.TABLE);
  }

  /**
   * Removes windows whose time is over, and names what windows of earlier versions hold; for {@link
   * MemoryParts#withCleanup}.
   */
  static CleanupStep cleanup() {
    return new WindowCleanup();
  }

  /** Removes windows that quote what is forgotten; for {@link MemoryParts#withQuoting}. */
  static QuotingRoom quoting() {
    return new QuotingWindows();
  }

  /** The same for one who acts; with an access policy, nothing is shown without. */
  ContextAssembler as(String actor);

  /** Reads one snapshot, composes, and keeps the window as long as settings say. */
  Assembled assemble(SpaceId space, AssembleRequest request);

  /** A window that was kept. */
  Window window(SpaceId space, Id id);

  /** A window that was kept, of this trajectory and no other. */
  default Window window(SpaceId space, Id trajectory, Id id) {
    Window found = window(space, id);
    if (!found.trajectory().equals(trajectory)) {
      throw ContextException.otherTrajectory(found, trajectory);
    }
    return found;
  }

  /** The newest windows of a trajectory, newest first. */
  List<Window> windows(SpaceId space, Id trajectory, int limit);

  /** The text of a window, made again: the same bytes, or a refusal that says why not. */
  String replay(SpaceId space, Window window);

  /**
   * A window that keeps these limits: the same one if it does, else one composed again of the same
   * candidates. A window that is still to be assembled is held to them by {@link
   * AssembleRequest#dosed}.
   *
   * @param persistence how long the other one is kept
   */
  Assembled dose(SpaceId space, Window window, Dosage limits, Persistence persistence);

  /** A model's answer to this window, claim by claim. */
  Annotation annotate(SpaceId space, Window window, String answer);
}
