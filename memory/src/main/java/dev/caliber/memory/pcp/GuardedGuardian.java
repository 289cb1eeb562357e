package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Texts;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.spi.AccessPolicy;
import dev.caliber.memory.spi.AccessPolicy.Access;
import dev.caliber.store.Jobs;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A guardian that asks before it does anything. Nobody in particular may do nothing. What is traced
 * is a write as well.
 *
 * @param guardians one for each who acts, over rooms in that one's name
 */
record GuardedGuardian(
    Function<String, Guardian> guardians, AccessPolicy policy, Optional<String> actor)
    implements Guardian {

  @Override
  public Guardian as(String other) {
    Texts.requireFilled("actor", other);
    return new GuardedGuardian(guardians, policy, Optional.of(other));
  }

  private Guardian allowed(SpaceId space, Access access) {
    return actor
        .filter(name -> policy.allows(name, space, access))
        .map(guardians)
        .orElseThrow(() -> MemoryException.denied(actor.orElse("nobody"), space, access));
  }

  /** For what is read and leaves a trace. */
  private Guardian traced(SpaceId space) {
    allowed(space, Access.READ);
    return allowed(space, Access.WRITE);
  }

  @Override
  public void attach(Jobs jobs) {
    Texts.requireFilled("actor", actor.orElse(""));
    guardians.apply(actor.orElseThrow()).attach(jobs);
  }

  @Override
  public Checked assemble(SpaceId space, AssembleRequest request, boolean dosed) {
    Guardian guardian = request.dryRun() ? allowed(space, Access.READ) : traced(space);
    return guardian.assemble(space, request, dosed);
  }

  @Override
  public Report validate(SpaceId space, Window window) {
    return traced(space).validate(space, window);
  }

  @Override
  public Report validate(SpaceId space, Id trajectory) {
    return traced(space).validate(space, trajectory);
  }

  @Override
  public List<Resolution> resolve(SpaceId space, Report report) {
    return traced(space).resolve(space, report);
  }

  @Override
  public Checkpoint checkpoint(SpaceId space, Id trajectory) {
    return traced(space).checkpoint(space, trajectory);
  }

  @Override
  public List<Checkpoint> withLedgers(SpaceId space, List<Checkpoint> checkpoints) {
    return allowed(space, Access.READ).withLedgers(space, checkpoints);
  }

  @Override
  public Window window(SpaceId space, Id checkpoint) {
    return allowed(space, Access.READ).window(space, checkpoint);
  }

  @Override
  public Recovery recover(SpaceId space, Recover wish) {
    Guardian guardian = wish.dryRun() ? allowed(space, Access.READ) : traced(space);
    return guardian.recover(space, wish);
  }

  @Override
  public Trajectory fork(SpaceId space, Id checkpoint, String goal) {
    return traced(space).fork(space, checkpoint, goal);
  }

  @Override
  public Checked dose(SpaceId space, Window window, Persistence persistence) {
    return traced(space).dose(space, window, persistence);
  }

  @Override
  public Report lint(SpaceId space, Id artifact) {
    return traced(space).lint(space, artifact);
  }

  @Override
  public Report lintTrajectory(SpaceId space, Id trajectory) {
    return traced(space).lintTrajectory(space, trajectory);
  }

  @Override
  public CleanedUp cleanUp(SpaceId space) {
    return allowed(space, Access.TEND).cleanUp(space);
  }

  @Override
  public TrajectoryState state(SpaceId space, Id trajectory) {
    return allowed(space, Access.READ).state(space, trajectory);
  }

  @Override
  public Story story(SpaceId space, Id trajectory, Optional<String> type, int limit) {
    return allowed(space, Access.READ).story(space, trajectory, type, limit);
  }

  @Override
  public Lineage lineage(SpaceId space, Id artifact) {
    return allowed(space, Access.READ).lineage(space, artifact);
  }
}
