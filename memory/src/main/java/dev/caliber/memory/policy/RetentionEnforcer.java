package dev.caliber.memory.policy;

import dev.caliber.kernel.Id;
import dev.caliber.memory.commit.ForkReferences;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.commit.UnitOfWorkListeners.FiredTrigger;
import dev.caliber.memory.event.MemoryEvent.RecordRemoved;
import dev.caliber.memory.forget.ForgetHandler;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Enforcement of the retention that a space's configuration declares. {@code max(n)} keeps the
 * newest n of a trajectory and acts when another one is added; notes and trajectories are counted
 * in the space, and clean-up checks ages. One commit removes one batch.
 */
public final class RetentionEnforcer {
  private final UnitOfWork unitOfWork;
  private final int batch;

  public RetentionEnforcer(UnitOfWork unitOfWork) {
    this.unitOfWork = unitOfWork;
    this.batch = unitOfWork.config().maintenanceBatch();
  }

  /** Enforces the numbers of records after a new turn, and after the close of a scope. */
  public static void enforceAfter(UnitOfWork unitOfWork, FiredTrigger fired) {
    switch (fired.event()) {
      case TURN -> new RetentionEnforcer(unitOfWork).enforceAfterTurn(fired);
      case SCOPE_CLOSE -> new RetentionEnforcer(unitOfWork).enforceAfterScopeClose(fired);
      case TASK_START, TASK_END -> {}
    }
  }

  private void enforceAfterTurn(FiredTrigger fired) {
    OptionalInt most = maxCount(MemoryKind.TURN);
    if (most.isPresent()
        && unitOfWork.transaction().get(Turn.TABLE, fired.about()).position() >= most.getAsInt()) {
      removeExcessTurns(fired.trajectory(), most.getAsInt());
    }
  }

  /** Removes rolled-back turns, then the oldest; keeps those that live forks show. */
  private void removeExcessTurns(Id trajectory, int most) {
    Query<Turn> turns =
        Query.over(Turn.TABLE, "trajectory", "position")
            .equal(trajectory)
            .from((long) new ForkReferences(unitOfWork).firstUnreferencedPosition(trajectory));
    int over = (int) Math.min(batch, unitOfWork.transaction().count(turns) - most);
    if (over > 0 && hasRolledBackScopes(trajectory)) {
      over -= removeTurns(turns.where(turn -> turn.rolledBackAt().isPresent()), over);
    }
    if (over > 0) {
      removeTurns(turns, over);
    }
  }

  private boolean hasRolledBackScopes(Id trajectory) {
    Query<Scope> own =
        Query.over(Scope.TABLE, "branch_of")
            .equal(trajectory)
            .where(scope -> scope.trajectory().equals(trajectory));
    return !unitOfWork.view().snapshot().list(own, 1).isEmpty();
  }

  private int removeTurns(Query<Turn> query, int most) {
    List<Turn> found = unitOfWork.view().snapshot().list(query, most);
    found.forEach(turn -> remove(EntityType.TURN, turn.id()));
    return found.size();
  }

  private void enforceAfterScopeClose(FiredTrigger fired) {
    maxCount(MemoryKind.ARTIFACT)
        .ifPresent(most -> removeExcessArtifacts(fired.trajectory(), most));
    maxCount(MemoryKind.SCOPE)
        .ifPresent(most -> removeTurnsOfExcessScopes(unitOfWork.view().scope(fired.about()), most));
  }

  /** Enforces ages and the numbers in the space; true if more is left. */
  public boolean enforceInSpace() {
    boolean more = false;
    for (MemoryKind kind : MemoryKind.values()) {
      Optional<Duration> age = retentionRules().flatMap(kept -> kept.maxAge(kind));
      OptionalInt most = maxCount(kind);
      more |= age.isPresent() && removeExpired(kind, unitOfWork.now().minus(age.get()));
      more |= most.isPresent() && removeExcess(kind, most.getAsInt());
    }
    return more;
  }

  private Optional<RetentionRules> retentionRules() {
    return unitOfWork.deployedConfig().map(RetentionRules::new);
  }

  private OptionalInt maxCount(MemoryKind kind) {
    return retentionRules().map(kept -> kept.maxCount(kind)).orElse(OptionalInt.empty());
  }

  private boolean removeExpired(MemoryKind kind, Instant cutoff) {
    return switch (kind) {
      case TURN -> removeTurns(turnsBefore(cutoff));
      case SCOPE -> removeTurns(turnsBefore(cutoff).where(this::isOfClosedScope));
      case ARTIFACT ->
          remove(
              Query.over(Artifact.TABLE).until(Id.smallestAt(cutoff)),
              EntityType.ARTIFACT,
              Artifact::id);
      case NOTE ->
          remove(Query.over(Note.TABLE, "recorded_at").until(cutoff), EntityType.NOTE, Note::id);
      case TRAJECTORY -> removeOldestTrajectory(oldestEndedTrajectories(cutoff));
    };
  }

  /** Returns a range of keys, which begin with their time. */
  private static Query<Turn> turnsBefore(Instant cutoff) {
    return Query.over(Turn.TABLE).until(Id.smallestAt(cutoff));
  }

  private boolean isOfClosedScope(Turn turn) {
    return unitOfWork.transaction().find(Scope.TABLE, turn.scope()).filter(Scope::isOpen).isEmpty();
  }

  private boolean removeExcess(MemoryKind kind, int most) {
    return switch (kind) {
      case TURN, SCOPE, ARTIFACT -> false;
      case NOTE -> removeExcessNotes(most);
      case TRAJECTORY -> removeExcessTrajectory(most);
    };
  }

  private boolean removeExcessNotes(int most) {
    long over = unitOfWork.transaction().count(Query.over(Note.TABLE, "recorded_at")) - most;
    return over > 0
        && remove(Query.over(Note.TABLE, "recorded_at"), EntityType.NOTE, Note::id, (int) over);
  }

  /** Removes the oldest ended trajectory that no live fork shows. */
  private boolean removeExcessTrajectory(int most) {
    long over = unitOfWork.transaction().count(Query.over(Trajectory.TABLE)) - most;
    return over > 0 && removeOldestTrajectory(oldestEndedTrajectories(unitOfWork.now()));
  }

  private Stream<Trajectory> oldestEndedTrajectories(Instant before) {
    return Stream.of(TrajectoryStatus.COMPLETED, TrajectoryStatus.FAILED)
        .flatMap(
            status ->
                unitOfWork.view().snapshot().list(endedTrajectories(status, before), 1).stream());
  }

  private Query<Trajectory> endedTrajectories(TrajectoryStatus status, Instant before) {
    ForkReferences forkReferences = new ForkReferences(unitOfWork);
    return Query.over(Trajectory.TABLE, "status", "updated_at")
        .equal(status.name())
        .until(before)
        .where(trajectory -> !forkReferences.hasLiveForks(trajectory.id()));
  }

  private boolean removeOldestTrajectory(Stream<Trajectory> ended) {
    List<Trajectory> oldest =
        ended.sorted(Comparator.comparing(Trajectory::updatedAt)).limit(1).toList();
    oldest.forEach(found -> new ForgetHandler(unitOfWork).removeTrajectory(found));
    return !oldest.isEmpty();
  }

  /** Removes rolled-back artifacts first, then the oldest. */
  private void removeExcessArtifacts(Id trajectory, int most) {
    int over = (int) Math.min(batch, unitOfWork.view().countArtifacts(trajectory) - most);
    if (over > 0) {
      Query<Artifact> all =
          Query.over(Artifact.TABLE, "trajectory", "created_at").equal(trajectory);
      int out = removeArtifacts(all.where(made -> made.rolledBackAt().isPresent()), over);
      if (over > out) {
        removeArtifacts(all, over - out);
      }
    }
  }

  private int removeArtifacts(Query<Artifact> query, int most) {
    List<Artifact> found = unitOfWork.view().snapshot().list(query, most);
    found.forEach(old -> remove(EntityType.ARTIFACT, old.id()));
    return found.size();
  }

  /** Removes one batch of turns of excess scopes, oldest first, but not their summaries. */
  private void removeTurnsOfExcessScopes(Scope last, int most) {
    Query<Scope> closed =
        Query.over(Scope.TABLE, "trajectory", "sequence")
            .equal(last.trajectory())
            .descending()
            .where(RetentionEnforcer::isCounted);
    List<Scope> newest = unitOfWork.view().snapshot().list(closed, most);
    if (newest.size() == most) {
      long kept = newest.getLast().sequence();
      int end =
          Stream.concat(
                  unitOfWork.view().first(closed.until(kept)).stream(),
                  closedBehindNewest(last, kept))
              .mapToInt(old -> old.endTurn().orElse(0))
              .max()
              .orElse(0);
      if (end > 0) {
        removeTurns(removableTurns(last.trajectory(), kept, end), batch);
      }
    }
  }

  /** Returns the scope closed now if it is beyond the number. Only it can end after the others. */
  private Stream<Scope> closedBehindNewest(Scope last, long kept) {
    return last.sequence() < kept
        ? unitOfWork.transaction().find(Scope.TABLE, last.id()).stream()
        : Stream.empty();
  }

  private static boolean isCounted(Scope scope) {
    return !scope.isOpen() && scope.turns() > 0 && scope.rolledBackAt().isEmpty();
  }

  /**
   * Returns the remaining turns of scopes before a sequence that no live fork shows. Most scopes
   * have lost their turns at an earlier close, so they are not queried one by one.
   */
  private Query<Turn> removableTurns(Id trajectory, long kept, int end) {
    Map<Id, Boolean> over = new HashMap<>();
    return Query.over(Turn.TABLE, "trajectory", "position")
        .equal(trajectory)
        .from((long) new ForkReferences(unitOfWork).firstUnreferencedPosition(trajectory))
        .until((long) end)
        .where(turn -> over.computeIfAbsent(turn.scope(), id -> isExcessScope(id, kept)));
  }

  private boolean isExcessScope(Id scope, long kept) {
    return unitOfWork
        .transaction()
        .find(Scope.TABLE, scope)
        .filter(found -> found.sequence() < kept && isCounted(found))
        .isPresent();
  }

  private boolean removeTurns(Query<Turn> query) {
    return remove(query, EntityType.TURN, Turn::id);
  }

  private <T> boolean remove(Query<T> query, EntityType type, Function<T, Id> id) {
    return remove(query, type, id, batch);
  }

  private <T> boolean remove(Query<T> query, EntityType type, Function<T, Id> id, int most) {
    List<T> found = unitOfWork.view().snapshot().list(query, Math.min(most, batch));
    found.forEach(record -> remove(type, id.apply(record)));
    return found.size() == batch;
  }

  private void remove(EntityType type, Id id) {
    unitOfWork.emit(new RecordRemoved(EntityRef.of(type, id)));
  }
}
