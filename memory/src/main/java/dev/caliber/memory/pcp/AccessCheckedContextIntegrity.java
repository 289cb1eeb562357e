package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.TextChecks;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.spi.AccessPolicy;
import dev.caliber.memory.spi.AccessPolicy.MemoryPermission;
import dev.caliber.store.Jobs;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Context integrity checks with access control: every call checks the actor's permission first, and
 * a call without an actor is denied. Calls that write a trace need the write permission.
 *
 * @param guardians the delegate for each actor
 */
record AccessCheckedContextIntegrity(
    Function<String, ContextIntegrity> guardians, AccessPolicy policy, Optional<String> actor)
    implements ContextIntegrity {

  @Override
  public ContextIntegrity asActor(String other) {
    TextChecks.requireNotBlank("actor", other);
    return new AccessCheckedContextIntegrity(guardians, policy, Optional.of(other));
  }

  private ContextIntegrity requirePermission(SpaceId space, MemoryPermission memoryPermission) {
    return actor
        .filter(name -> policy.allows(name, space, memoryPermission))
        .map(guardians)
        .orElseThrow(
            () -> MemoryException.accessDenied(actor.orElse("anonymous"), space, memoryPermission));
  }

  /** Requires read and write, for reads that write a trace. */
  private ContextIntegrity requireTracePermission(SpaceId space) {
    requirePermission(space, MemoryPermission.READ);
    return requirePermission(space, MemoryPermission.WRITE);
  }

  @Override
  public void registerJobHandlers(Jobs jobs) {
    TextChecks.requireNotBlank("actor", actor.orElse(""));
    guardians.apply(actor.orElseThrow()).registerJobHandlers(jobs);
  }

  @Override
  public ValidatedWindow assemble(SpaceId space, AssembleRequest request, boolean dosed) {
    ContextIntegrity contextIntegrity =
        request.dryRun()
            ? requirePermission(space, MemoryPermission.READ)
            : requireTracePermission(space);
    return contextIntegrity.assemble(space, request, dosed);
  }

  @Override
  public ValidationReport validate(SpaceId space, Window window) {
    return requireTracePermission(space).validate(space, window);
  }

  @Override
  public ValidationReport validate(SpaceId space, Id trajectory) {
    return requireTracePermission(space).validate(space, trajectory);
  }

  @Override
  public List<ContradictionResolution> resolveContradictions(
      SpaceId space, ValidationReport validationReport) {
    return requireTracePermission(space).resolveContradictions(space, validationReport);
  }

  @Override
  public Checkpoint saveCheckpoint(SpaceId space, Id trajectory) {
    return requireTracePermission(space).saveCheckpoint(space, trajectory);
  }

  @Override
  public List<Checkpoint> withLedgers(SpaceId space, List<Checkpoint> checkpoints) {
    return requirePermission(space, MemoryPermission.READ).withLedgers(space, checkpoints);
  }

  @Override
  public Window windowAt(SpaceId space, Id checkpoint) {
    return requirePermission(space, MemoryPermission.READ).windowAt(space, checkpoint);
  }

  @Override
  public RecoveryResult recover(SpaceId space, RecoveryRequest wish) {
    ContextIntegrity contextIntegrity =
        wish.dryRun()
            ? requirePermission(space, MemoryPermission.READ)
            : requireTracePermission(space);
    return contextIntegrity.recover(space, wish);
  }

  @Override
  public Trajectory fork(SpaceId space, Id checkpoint, String goal) {
    return requireTracePermission(space).fork(space, checkpoint, goal);
  }

  @Override
  public ValidatedWindow applyLimits(
      SpaceId space, Window window, WindowPersistence windowPersistence) {
    return requireTracePermission(space).applyLimits(space, window, windowPersistence);
  }

  @Override
  public ValidationReport lintArtifact(SpaceId space, Id artifact) {
    return requireTracePermission(space).lintArtifact(space, artifact);
  }

  @Override
  public ValidationReport lintTrajectory(SpaceId space, Id trajectory) {
    return requireTracePermission(space).lintTrajectory(space, trajectory);
  }

  @Override
  public CleanupCounts runCleanup(SpaceId space) {
    return requirePermission(space, MemoryPermission.TEND).runCleanup(space);
  }

  @Override
  public TrajectoryState trajectoryState(SpaceId space, Id trajectory) {
    return requirePermission(space, MemoryPermission.READ).trajectoryState(space, trajectory);
  }

  @Override
  public TrajectoryTrace trajectoryTrace(
      SpaceId space, Id trajectory, Optional<String> type, int limit) {
    return requirePermission(space, MemoryPermission.READ)
        .trajectoryTrace(space, trajectory, type, limit);
  }

  @Override
  public ArtifactLineage lineage(SpaceId space, Id artifact) {
    return requirePermission(space, MemoryPermission.READ).lineage(space, artifact);
  }
}
