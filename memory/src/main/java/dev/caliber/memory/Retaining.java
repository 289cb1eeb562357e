package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryEvent.RecordRemoved;
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
 * What a space's configuration says about how much is kept. {@code max(n)} keeps the newest n of a
 * trajectory and acts when another one comes; notes and trajectories are counted in the space, and
 * age is looked at by clean-up. What goes is removed, a batch in one commit.
 */
final class Retaining {
  private final Desk desk;
  private final int batch;

  Retaining(Desk desk) {
    this.desk = desk;
    this.batch = desk.config().portion();
  }

  /** Another turn was said. */
  void said(Turn turn) {
    OptionalInt most = most(MemoryKind.TURN);
    if (most.isPresent() && turn.position() >= most.getAsInt()) {
      keepTurns(turn.trajectory(), most.getAsInt());
    }
  }

  /** Those that a return has taken out go first, then the oldest; what forks show stays beside. */
  private void keepTurns(Id trajectory, int most) {
    Query<Turn> turns =
        Query.over(Turn.TABLE, "trajectory", "position")
            .equal(trajectory)
            .from((long) new Forks(desk).shownBefore(trajectory));
    int over = (int) Math.min(batch, desk.transaction().count(turns) - most);
    if (over > 0 && hasReturned(trajectory)) {
      over -= removeTurns(turns.where(turn -> turn.rolledBackAt().isPresent()), over);
    }
    if (over > 0) {
      removeTurns(turns, over);
    }
  }

  private boolean hasReturned(Id trajectory) {
    Query<Scope> own =
        Query.over(Scope.TABLE, "branch_of")
            .equal(trajectory)
            .where(scope -> scope.trajectory().equals(trajectory));
    return !desk.view().upTo(own, 1).isEmpty();
  }

  private int removeTurns(Query<Turn> query, int most) {
    List<Turn> found = desk.view().upTo(query, most);
    found.forEach(turn -> remove(EntityType.TURN, turn.id()));
    return found.size();
  }

  /** A scope has closed, and has left artifacts. */
  void closed(Scope scope) {
    most(MemoryKind.ARTIFACT).ifPresent(most -> keepArtifacts(scope.trajectory(), most));
    most(MemoryKind.SCOPE).ifPresent(most -> keepScopes(scope, most));
  }

  /** Looks at ages and at what is counted in the space; true when there is more. */
  boolean clean() {
    boolean more = false;
    for (MemoryKind kind : MemoryKind.values()) {
      Optional<Duration> age = keeping().flatMap(kept -> kept.age(kind));
      OptionalInt most = most(kind);
      more |= age.isPresent() && expire(kind, desk.now().minus(age.get()));
      more |= most.isPresent() && keep(kind, most.getAsInt());
    }
    return more;
  }

  private Optional<Keeping> keeping() {
    return desk.deployed().map(Keeping::new);
  }

  private OptionalInt most(MemoryKind kind) {
    return keeping().map(kept -> kept.most(kind)).orElse(OptionalInt.empty());
  }

  private boolean expire(MemoryKind kind, Instant cutoff) {
    return switch (kind) {
      case TURN -> removeTurns(oldTurns(cutoff));
      case SCOPE -> removeTurns(oldTurns(cutoff).where(this::isOfClosedScope));
      case ARTIFACT ->
          remove(
              Query.over(Artifact.TABLE).until(Id.earliest(cutoff)),
              EntityType.ARTIFACT,
              Artifact::id);
      case NOTE ->
          remove(Query.over(Note.TABLE, "recorded_at").until(cutoff), EntityType.NOTE, Note::id);
      case TRAJECTORY -> removeTrajectory(ended(cutoff));
    };
  }

  /** Ids begin with their time, so that the oldest keys are the oldest records. */
  private static Query<Turn> oldTurns(Instant cutoff) {
    return Query.over(Turn.TABLE).until(Id.earliest(cutoff));
  }

  private boolean isOfClosedScope(Turn turn) {
    return desk.transaction().find(Scope.TABLE, turn.scope()).filter(Scope::isOpen).isEmpty();
  }

  private boolean keep(MemoryKind kind, int most) {
    return switch (kind) {
      case TURN, SCOPE, ARTIFACT -> false;
      case NOTE -> keepNotes(most);
      case TRAJECTORY -> keepTrajectories(most);
    };
  }

  private boolean keepNotes(int most) {
    long over = desk.transaction().count(Query.over(Note.TABLE, "recorded_at")) - most;
    return over > 0
        && remove(Query.over(Note.TABLE, "recorded_at"), EntityType.NOTE, Note::id, (int) over);
  }

  /** Only what has ended goes, and only if no task that goes on shows what it has said. */
  private boolean keepTrajectories(int most) {
    long over = desk.transaction().count(Query.over(Trajectory.TABLE)) - most;
    return over > 0 && removeTrajectory(ended(desk.now()));
  }

  private Stream<Trajectory> ended(Instant before) {
    return Stream.of(TrajectoryStatus.COMPLETED, TrajectoryStatus.FAILED)
        .flatMap(status -> desk.view().upTo(ended(status, before), 1).stream());
  }

  private Query<Trajectory> ended(TrajectoryStatus status, Instant before) {
    Forks forks = new Forks(desk);
    return Query.over(Trajectory.TABLE, "status", "updated_at")
        .equal(status.name())
        .until(before)
        .where(trajectory -> !forks.areLiving(trajectory.id()));
  }

  private boolean removeTrajectory(Stream<Trajectory> ended) {
    List<Trajectory> oldest =
        ended.sorted(Comparator.comparing(Trajectory::updatedAt)).limit(1).toList();
    oldest.forEach(found -> new ForgetWork(desk).remove(found));
    return !oldest.isEmpty();
  }

  /** What a return has taken out, then what is oldest. */
  private void keepArtifacts(Id trajectory, int most) {
    int over = (int) Math.min(batch, desk.view().countArtifacts(trajectory) - most);
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
    List<Artifact> found = desk.view().upTo(query, most);
    found.forEach(old -> remove(EntityType.ARTIFACT, old.id()));
    return found.size();
  }

  /**
   * Of a scope beyond the number its turns go; its summary stays with it. The oldest go first, a
   * batch of turns at a close.
   */
  private void keepScopes(Scope last, int most) {
    Query<Scope> closed =
        Query.over(Scope.TABLE, "trajectory", "sequence")
            .equal(last.trajectory())
            .descending()
            .where(Retaining::isCounted);
    List<Scope> newest = desk.view().upTo(closed, most);
    if (newest.size() == most) {
      long kept = newest.getLast().sequence();
      int end =
          Stream.concat(desk.view().first(closed.until(kept)).stream(), over(last, kept))
              .mapToInt(old -> old.endTurn().orElse(0))
              .max()
              .orElse(0);
      if (end > 0) {
        removeTurns(turnsOf(last.trajectory(), kept, end), batch);
      }
    }
  }

  /** Of those beyond the number, only what has closed now may end after the newest of them. */
  private Stream<Scope> over(Scope last, long kept) {
    return last.sequence() < kept
        ? desk.transaction().find(Scope.TABLE, last.id()).stream()
        : Stream.empty();
  }

  private static boolean isCounted(Scope scope) {
    return !scope.isOpen() && scope.turns() > 0 && scope.rolledBackAt().isEmpty();
  }

  /**
   * What is left of those before a sequence, without what forks show. Nearly all of them have lost
   * their turns at an earlier close, so no scope is asked for its own.
   */
  private Query<Turn> turnsOf(Id trajectory, long kept, int end) {
    Map<Id, Boolean> over = new HashMap<>();
    return Query.over(Turn.TABLE, "trajectory", "position")
        .equal(trajectory)
        .from((long) new Forks(desk).shownBefore(trajectory))
        .until((long) end)
        .where(turn -> over.computeIfAbsent(turn.scope(), id -> isOver(id, kept)));
  }

  private boolean isOver(Id scope, long kept) {
    return desk.transaction()
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
    List<T> found = desk.view().upTo(query, Math.min(most, batch));
    found.forEach(record -> remove(type, id.apply(record)));
    return found.size() == batch;
  }

  private void remove(EntityType type, Id id) {
    desk.emit(new RecordRemoved(EntityRef.of(type, id)));
  }
}
