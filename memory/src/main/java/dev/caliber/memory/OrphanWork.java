package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.OutcomeStatus;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.store.Query;
import java.time.Instant;

/**
 * Decides what nobody works on any more: trajectories of agents that saw nothing for {@code
 * memory.recovery.orphan-after}, and scopes beside the current one in which nothing was said for as
 * long. Sessions, which people or other systems come back to, may rest as long as they like.
 */
final class OrphanWork {
  private static final String REASON = "Scope closed by orphan cleanup - process interrupted";

  private final Desk desk;
  private final TrajectoryWork trajectories;
  private final ScopeWork scopes;

  OrphanWork(Desk desk, TrajectoryWork trajectories, ScopeWork scopes) {
    this.desk = desk;
    this.trajectories = trajectories;
    this.scopes = scopes;
  }

  static Query<Trajectory> idle(MemoryView view, Instant cutoff) {
    return Query.over(Trajectory.TABLE, "status", "updated_at")
        .equal(TrajectoryStatus.ACTIVE.name())
        .until(cutoff)
        .where(trajectory -> isIdle(view, trajectory, cutoff));
  }

  static Query<Scope> left(MemoryView view, Instant cutoff) {
    return Query.over(Scope.TABLE, "open_since")
        .until(cutoff)
        .where(scope -> isLeft(view, scope, cutoff));
  }

  /** Ends a trajectory that was found idle, if it still is; whether it was. */
  boolean fail(Id id, Instant cutoff) {
    return desk.transaction()
        .find(Trajectory.TABLE, id)
        .filter(found -> isIdle(desk.view(), found, cutoff))
        .map(this::fail)
        .isPresent();
  }

  /** Closes a scope that was found left, if it still is; whether it was. */
  boolean close(Id id, Instant cutoff) {
    return desk.transaction()
        .find(Scope.TABLE, id)
        .filter(found -> found.isOpen() && isLeft(desk.view(), found, cutoff))
        .map(this::close)
        .isPresent();
  }

  private Scope close(Scope scope) {
    scopes.abandon(scope, REASON);
    return scope;
  }

  private Trajectory fail(Trajectory trajectory) {
    Instant since = desk.view().trajectory(trajectory.id()).updatedAt();
    desk.view().openScopes(trajectory.id()).forEach(this::close);
    return trajectories.end(
        new EndTrajectory(
            trajectory.id(),
            OutcomeStatus.SYSTEM_ABORT,
            "Orphan cleanup: no activity since " + since));
  }

  /** A turn does not touch its trajectory, so the newest one is asked. */
  private static boolean isIdle(MemoryView view, Trajectory trajectory, Instant cutoff) {
    return trajectory.status() == TrajectoryStatus.ACTIVE
        && trajectory.updatedAt().isBefore(cutoff)
        && !isSession(trajectory)
        && view.newestTurn(trajectory.id())
            .filter(turn -> !turn.createdAt().isBefore(cutoff))
            .isEmpty();
  }

  /** A person's, or one that the caller's own system holds on to by a name. */
  private static boolean isSession(Trajectory trajectory) {
    return trajectory.initiator().type() == EntityType.SUBJECT
        || trajectory.labels().externalId().isPresent();
  }

  private static boolean isLeft(MemoryView view, Scope scope, Instant cutoff) {
    boolean current =
        view.currentScope(scope.trajectory())
            .filter(found -> found.id().equals(scope.id()))
            .isPresent();
    return (!current || isEnded(view, scope))
        && view.lastTurns(scope.id(), 1).stream()
            .allMatch(turn -> turn.createdAt().isBefore(cutoff));
  }

  /** A scope whose trajectory is gone has nobody either. */
  private static boolean isEnded(MemoryView view, Scope scope) {
    return view.find(Trajectory.TABLE, scope.trajectory())
        .filter(found -> !found.status().isTerminal())
        .isEmpty();
  }
}
