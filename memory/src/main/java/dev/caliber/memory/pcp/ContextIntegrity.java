package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.ContextIntegrityConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.CheckpointListener;
import dev.caliber.memory.view.CleanupStep;
import dev.caliber.memory.view.ForgetListener;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.memory.view.RecordInspector;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import dev.caliber.store.job.Jobs;
import java.util.List;
import java.util.Optional;

/**
 * Integrity checks of contexts, and recovery: validates the sources of windows and returns
 * trajectories to checkpoints.
 */
public interface ContextIntegrity {

  /**
   * Needs a store that was opened with the tables of memory, of its assembler, and {@link #tables}.
   */
  static ContextIntegrity of(
      ContextIntegrityDependencies contextIntegrityDependencies,
      MemoryConfig config,
      MemoryDependencies parts) {
    return new RecordStoreContextIntegrity(contextIntegrityDependencies, config, parts);
  }

  /** Dependencies of the integrity checks. */
  record ContextIntegrityDependencies(
      RecordStore store, Memory memory, ContextAssembler assembler) {}

  static List<Table<?>> tables() {
    return List.of(CheckpointLedger.TABLE);
  }

  /** Removes ledgers whose checkpoints were deleted; for {@link MemoryDependencies#withCleanup}. */
  static CleanupStep cleanupStep() {
    return CheckpointLedgerStorage.cleanupStep();
  }

  /**
   * Removes ledgers that name forgotten records; for {@link MemoryDependencies#withForgetListener}.
   */
  static ForgetListener forgetListener() {
    return CheckpointLedgerStorage.forgetListener();
  }

  /**
   * Schedules a job that writes the ledger of every saved checkpoint; for {@link
   * MemoryDependencies#withCheckpointListener}. {@link #registerJobHandlers} registers the handler
   * of these jobs.
   */
  static CheckpointListener checkpointListener() {
    return CheckpointLedgerJobs::schedule;
  }

  /**
   * Lints artifacts and notes when they are written; for {@link MemoryDependencies#withInspector}.
   */
  static RecordInspector inspector(ContextIntegrityConfig settings) {
    return new RecordWriteInspector(settings);
  }

  /** Registers the handler of the jobs that write ledgers. */
  void registerJobHandlers(Jobs jobs);

  /** Assembles within {@code pcp.window-limits}. */
  default ValidatedWindow assemble(SpaceId space, AssembleRequest request) {
    return assemble(space, request, true);
  }

  /**
   * Assembles, and validates if {@code pcp.validation} is {@code always}.
   *
   * @param dosed whether within {@code pcp.window-limits}
   */
  ValidatedWindow assemble(SpaceId space, AssembleRequest request, boolean dosed);

  /** Validates the records in a window. */
  ValidationReport validate(SpaceId space, Window window);

  /** Validates the live artifacts and the notes of a trajectory. */
  ValidationReport validate(SpaceId space, Id trajectory);

  /** Resolves the contradictions of a report as {@code pcp.grounding} says. */
  List<ContradictionResolution> resolveContradictions(
      SpaceId space, ValidationReport validationReport);

  /** Saves a checkpoint with the ledger of its window; the result says whether it has one. */
  Checkpoint saveCheckpoint(SpaceId space, Id trajectory);

  /** Returns the checkpoints with the flag set that says whether the ledger exists. */
  List<Checkpoint> withLedgers(SpaceId space, List<Checkpoint> checkpoints);

  /** Returns the window at a checkpoint: from its ledger, or assembled as of then. */
  Window windowAt(SpaceId space, Id checkpoint);

  /** Returns to a checkpoint, or previews that. */
  RecoveryResult recover(SpaceId space, RecoveryRequest wish);

  /** Starts a trajectory that continues from a checkpoint of another one. */
  Trajectory fork(SpaceId space, Id checkpoint, String goal);

  /**
   * Returns the window if it is within {@code pcp.window-limits}, else one composed again within
   * it. It is validated if {@code pcp.validation} is {@code always}.
   *
   * @param windowPersistence retention of the new window
   */
  ValidatedWindow applyLimits(SpaceId space, Window window, WindowPersistence windowPersistence);

  /** Lints one artifact. */
  ValidationReport lintArtifact(SpaceId space, Id artifact);

  /** Lints the live artifacts of a trajectory, each by itself. */
  ValidationReport lintTrajectory(SpaceId space, Id trajectory);

  /**
   * Ends trajectories and scopes without an active agent, and removes records past their retention.
   */
  CleanupCounts runCleanup(SpaceId space);

  TrajectoryOverview trajectoryState(SpaceId space, Id trajectory);

  /**
   * Returns the traced events of a trajectory.
   *
   * @param type only events of this type
   */
  TrajectoryTrace trajectoryTrace(SpaceId space, Id trajectory, Optional<String> type, int limit);

  ArtifactLineage lineage(SpaceId space, Id artifact);
}
