package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.OutcomeStatus;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.Query;
import java.time.Instant;

/**
 * Ends orphans: trajectories of agents without activity for {@code memory.recovery.orphan-after},
 * and scopes beside the current one without a turn for as long. Sessions of people or other systems
 * are never orphans.
 */
public final class AbandonedWorkHandler {
  private static final String REASON =
      "Scope closed by orphan cleanup: its process was interrupted";

  private final UnitOfWork unitOfWork;
  private final TrajectoryHandler trajectories;
  private final ScopeHandler scopes;

  public AbandonedWorkHandler(
      UnitOfWork unitOfWork, TrajectoryHandler trajectories, ScopeHandler scopes) {
    this.unitOfWork = unitOfWork;
    this.trajectories = trajectories;
    this.scopes = scopes;
  }

  public static Query<Trajectory> idleTrajectories(MemoryView view, Instant cutoff) {
    return Query.over(Trajectory.TABLE, "status", "updated_at")
        .equal(TrajectoryStatus.ACTIVE.name())
        .until(cutoff)
        .where(trajectory -> isIdle(view, trajectory, cutoff));
  }

  public static Query<Scope> abandonedScopes(MemoryView view, Instant cutoff) {
    return Query.over(Scope.TABLE, "open_since")
        .until(cutoff)
        .where(scope -> isAbandoned(view, scope, cutoff));
  }

  /** Fails the trajectory if it is still idle; returns whether it was. */
  public boolean failIfIdle(Id id, Instant cutoff) {
    return unitOfWork
        .transaction()
        .find(Trajectory.TABLE, id)
        .filter(found -> isIdle(unitOfWork.view(), found, cutoff))
        .map(this::failTrajectory)
        .isPresent();
  }

  /** Closes the scope if it is still abandoned; returns whether it was. */
  public boolean closeIfAbandoned(Id id, Instant cutoff) {
    return unitOfWork
        .transaction()
        .find(Scope.TABLE, id)
        .filter(found -> found.isOpen() && isAbandoned(unitOfWork.view(), found, cutoff))
        .map(this::closeScope)
        .isPresent();
  }

  private Scope closeScope(Scope scope) {
    scopes.closeAbandoned(scope, REASON);
    return scope;
  }

  private Trajectory failTrajectory(Trajectory trajectory) {
    Instant since = unitOfWork.view().trajectory(trajectory.id()).updatedAt();
    unitOfWork.view().openScopes(trajectory.id()).forEach(this::closeScope);
    return trajectories.end(
        new EndTrajectory(
            trajectory.id(),
            OutcomeStatus.SYSTEM_ABORT,
            "Ended by orphan cleanup: no activity since " + since));
  }

  /** Checks the trajectory and its newest turn, because a turn does not update its trajectory. */
  private static boolean isIdle(MemoryView view, Trajectory trajectory, Instant cutoff) {
    return trajectory.status() == TrajectoryStatus.ACTIVE
        && trajectory.updatedAt().isBefore(cutoff)
        && !isSession(trajectory)
        && view.newestTurn(trajectory.id())
            .filter(turn -> !turn.createdAt().isBefore(cutoff))
            .isEmpty();
  }

  /** Returns whether the trajectory was started by a subject or has an external id. */
  private static boolean isSession(Trajectory trajectory) {
    return trajectory.initiator().type() == EntityType.SUBJECT
        || trajectory.labels().externalId().isPresent();
  }

  private static boolean isAbandoned(MemoryView view, Scope scope, Instant cutoff) {
    boolean current =
        view.currentScope(scope.trajectory())
            .filter(found -> found.id().equals(scope.id()))
            .isPresent();
    return (!current || isTrajectoryEnded(view, scope))
        && view.lastTurns(scope.id(), 1).stream()
            .allMatch(turn -> turn.createdAt().isBefore(cutoff));
  }

  /** Returns whether the trajectory has ended or was removed. */
  private static boolean isTrajectoryEnded(MemoryView view, Scope scope) {
    return view.find(Trajectory.TABLE, scope.trajectory())
        .filter(found -> !found.status().isTerminal())
        .isEmpty();
  }
}
