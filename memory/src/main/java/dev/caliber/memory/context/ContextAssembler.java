package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.ContextIntegrityConfig.WindowLimits;
import dev.caliber.memory.context.explain.WindowDiff;
import dev.caliber.memory.context.window.AnswerAnnotation;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.ContextException;
import dev.caliber.memory.context.window.LedgerIndexEntry;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.CleanupStep;
import dev.caliber.memory.view.ForgetListener;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import java.util.List;

/**
 * Composes the context for the next model call under a hard token budget, and explains for each
 * candidate why it is in or out. A composed window can be replayed to the byte.
 */
public interface ContextAssembler {

  /** Needs a store that was opened with the tables of memory and {@link #tables}. */
  static ContextAssembler of(
      RecordStore store, MemoryConfig config, MemoryDependencies parts, TokenCounters counters) {
    return new RecordStoreAssembler(store, config, parts, counters);
  }

  static List<Table<?>> tables() {
    return List.of(Window.TABLE, LedgerIndexEntry.TABLE);
  }

  /**
   * Removes expired windows, and indexes the ledgers of windows of earlier versions; for {@link
   * MemoryDependencies#withCleanup}.
   */
  static CleanupStep cleanupStep() {
    return new WindowCleanup();
  }

  /**
   * Removes windows that quote forgotten records; for {@link
   * MemoryDependencies#withForgetListener}.
   */
  static ForgetListener forgetListener() {
    return new WindowForgetListener();
  }

  /** Reads one snapshot, composes, and saves the window as long as settings say. */
  AssembledWindow assemble(SpaceId space, AssembleRequest request);

  /** Returns a saved window. */
  Window window(SpaceId space, Id id);

  /** Returns a saved window of this trajectory, and refuses windows of others. */
  default Window window(SpaceId space, Id trajectory, Id id) {
    Window found = window(space, id);
    if (!found.trajectory().equals(trajectory)) {
      throw ContextException.wrongTrajectory(found, trajectory);
    }
    return found;
  }

  /** Returns the newest windows of a trajectory, newest first. */
  List<Window> windows(SpaceId space, Id trajectory, int limit);

  /** Returns the text of a window, composed again: equal bytes, or a refusal with the reason. */
  String replay(SpaceId space, Window window);

  /** Returns the differences of the other window from this one, with reasons. */
  WindowDiff diff(SpaceId space, Window window, Window other);

  /**
   * Returns a window within these limits: this one if it is, else one composed again from its
   * candidates. For a window that is not assembled yet, use {@link AssembleRequest#withLimits}.
   *
   * @param windowPersistence retention of the new window
   */
  AssembledWindow applyLimits(
      SpaceId space, Window window, WindowLimits limits, WindowPersistence windowPersistence);

  /** Returns the claims of a model's answer to this window. */
  AnswerAnnotation annotate(SpaceId space, Window window, String answer);
}
