package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.kernel.config.PcpConfig;
import dev.caliber.memory.CheckpointRoom;
import dev.caliber.memory.CleanupStep;
import dev.caliber.memory.Inspector;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.QuotingRoom;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import java.util.List;
import java.util.Optional;

/** Keeps contexts sound: looks at what they stand on, and brings a trajectory back. */
public interface Guardian {

  /**
   * Over a store that was opened with the tables of memory, of its assembler, and {@link #tables}.
   */
  static Guardian of(Rooms rooms, MemoryConfig config, MemoryParts parts) {
    return parts
        .access()
        .<Guardian>map(
            policy ->
                new GuardedGuardian(
                    actor -> new RecordedGuardian(rooms.as(actor), config, parts),
                    policy,
                    Optional.empty()))
        .orElseGet(() -> new RecordedGuardian(rooms, config, parts));
  }

  /** What a guardian stands above. */
  record Rooms(RecordStore store, Memory memory, ContextAssembler assembler) {
    Rooms as(String actor) {
      return new Rooms(store, memory.as(actor), assembler.as(actor));
    }
  }

  static List<Table<?>> tables() {
    return List.of(CheckpointLedger.TABLE);
  }

  /** Removes ledgers whose checkpoints have gone; for {@link MemoryParts#withCleanup}. */
  static CleanupStep cleanup() {
    return Ledgers.cleanup();
  }

  /** Removes ledgers that name what is forgotten; for {@link MemoryParts#withQuoting}. */
  static QuotingRoom quoting() {
    return Ledgers.quoting();
  }

  /**
   * Has the ledger of every checkpoint made by a job, whoever saves it; for {@link
   * MemoryParts#withCheckpoints}, where {@link #attach} lets somebody do those jobs.
   */
  static CheckpointRoom checkpoints() {
    return LedgerJobs::schedule;
  }

  /**
   * Looks over artifacts and notes when they are written; for {@link MemoryParts#withInspector}.
   */
  static Inspector inspector(PcpConfig settings) {
    return new WrittenRecords(settings);
  }

  /** The same for one who acts; with an access policy, nothing can be done without. */
  Guardian as(String actor);

  /** Lets these jobs make the ledgers of checkpoints, in the name of whom this acts for. */
  void attach(Jobs jobs);

  /** Assembles within {@code pcp.dosage}. */
  default Checked assemble(SpaceId space, AssembleRequest request) {
    return assemble(space, request, true);
  }

  /**
   * Assembles, and validates if {@code pcp.validation} is {@code always}.
   *
   * @param dosed whether within {@code pcp.dosage}
   */
  Checked assemble(SpaceId space, AssembleRequest request, boolean dosed);

  /** What is wrong with the records in a window. */
  Report validate(SpaceId space, Window window);

  /** What is wrong with the live artifacts and the notes of a trajectory. */
  Report validate(SpaceId space, Id trajectory);

  /** Settles the contradictions of a report as {@code pcp.grounding} says. */
  List<Resolution> resolve(SpaceId space, Report report);

  /** Saves a point to return to, with the ledger of its window, and says whether it has one. */
  Checkpoint checkpoint(SpaceId space, Id trajectory);

  /** The same checkpoints, each saying whether the ledger of its window is kept. */
  List<Checkpoint> withLedgers(SpaceId space, List<Checkpoint> checkpoints);

  /** The window at a checkpoint: as it was kept with it, or assembled as of then. */
  Window window(SpaceId space, Id checkpoint);

  /** Returns to a checkpoint, or says what that would do. */
  Recovery recover(SpaceId space, Recover wish);

  /** Starts a trajectory that goes on from a checkpoint of another one. */
  Trajectory fork(SpaceId space, Id checkpoint, String goal);

  /**
   * The window within {@code pcp.dosage}: the same if it is, else one composed again. It is
   * validated if {@code pcp.validation} is {@code always}.
   *
   * @param persistence how long the other one is kept
   */
  Checked dose(SpaceId space, Window window, Persistence persistence);

  /** What is wrong with one artifact. */
  Report lint(SpaceId space, Id artifact);

  /** What is wrong with the live artifacts of a trajectory, each by itself. */
  Report lintTrajectory(SpaceId space, Id trajectory);

  /** Ends what nobody works on, and removes what has had its time. */
  CleanedUp cleanUp(SpaceId space);

  TrajectoryState state(SpaceId space, Id trajectory);

  /**
   * What happened to a trajectory.
   *
   * @param type only events of this type
   */
  Story story(SpaceId space, Id trajectory, Optional<String> type, int limit);

  Lineage lineage(SpaceId space, Id artifact);
}
