package dev.caliber.memory;

import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;

/** Decides what nobody works on any more. */
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

  Orphans sweep() {
    int batch = desk.config().retention().batch();
    Instant cutoff = desk.now().minus(desk.runtime().memory().orphanAfter());
    List<Trajectory> idle = desk.view().upTo(idle(cutoff), 2);
    List<Trajectory> failed = idle.stream().limit(1).toList();
    failed.forEach(this::fail);
    List<Scope> closed = desk.view().upTo(left(cutoff), batch);
    closed.forEach(scope -> scopes.abandon(scope, REASON));
    return new Orphans(
        failed.stream().map(Trajectory::id).toList(),
        closed.stream().map(Scope::id).toList(),
        idle.size() == failed.size() && closed.size() < batch);
  }

  private Query<Trajectory> idle(Instant cutoff) {
    return Query.over(Trajectory.TABLE, "status", "updated_at")
        .equal(TrajectoryStatus.ACTIVE.name())
        .until(cutoff)
        .where(trajectory -> !isSession(trajectory) && isSilent(trajectory, cutoff));
  }

  /** A turn does not touch its trajectory, so the newest one is asked. */
  private boolean isSilent(Trajectory trajectory, Instant cutoff) {
    return desk.view()
        .newestTurn(trajectory.id())
        .filter(turn -> !turn.createdAt().isBefore(cutoff))
        .isEmpty();
  }

  /** A person's, or one that the caller's own system holds on to by a name. */
  private static boolean isSession(Trajectory trajectory) {
    return trajectory.initiator().type() == EntityType.SUBJECT
        || trajectory.labels().externalId().isPresent();
  }

  private void fail(Trajectory trajectory) {
    Instant since = desk.view().trajectory(trajectory.id()).updatedAt();
    for (Scope scope : desk.view().openScopes(trajectory.id())) {
      scopes.abandon(scope, REASON);
    }
    trajectories.end(
        new EndTrajectory(
            trajectory.id(),
            OutcomeStatus.SYSTEM_ABORT,
            "Orphan cleanup: no activity since " + since));
  }

  private Query<Scope> left(Instant cutoff) {
    return Query.over(Scope.TABLE, "open_since")
        .until(cutoff)
        .where(scope -> isLeft(scope, cutoff));
  }

  private boolean isLeft(Scope scope, Instant cutoff) {
    boolean current =
        desk.view()
            .currentScope(scope.trajectory())
            .filter(found -> found.id().equals(scope.id()))
            .isPresent();
    return (!current || isEnded(scope))
        && desk.view().lastTurns(scope.id(), 1).stream()
            .allMatch(turn -> turn.createdAt().isBefore(cutoff));
  }

  /** A scope whose trajectory is gone has nobody either. */
  private boolean isEnded(Scope scope) {
    return desk.transaction()
        .find(Trajectory.TABLE, scope.trajectory())
        .filter(found -> !found.status().isTerminal())
        .isEmpty();
  }
}
