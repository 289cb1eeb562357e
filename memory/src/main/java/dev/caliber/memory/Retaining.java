package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.Retention;
import dev.caliber.memory.MemoryEvent.RecordRemoved;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
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
    this.batch = desk.config().retention().batch();
  }

  /** Another turn was said. */
  void said(Turn turn) {
    OptionalInt most = most(MemoryKind.TURN);
    if (most.isPresent() && turn.position() >= most.getAsInt()) {
      removeTurns(turnsBefore(turn.trajectory(), turn.position() + 1 - most.getAsInt()));
    }
  }

  /** A scope has closed, and has left artifacts. */
  void closed(Scope scope) {
    most(MemoryKind.ARTIFACT).ifPresent(most -> keepArtifacts(scope.trajectory(), most));
    most(MemoryKind.SCOPE).ifPresent(most -> keepScopes(scope.trajectory(), most));
  }

  /** Looks at ages and at what is counted in the space; true when there is more. */
  boolean clean() {
    boolean more = false;
    for (MemoryDefinition memory : memories().toList()) {
      more |=
          switch (memory.retention()) {
            case Retention.For(var age) -> expire(MemoryKind.of(memory), desk.now().minus(age));
            case Retention.Max(var most) -> keep(MemoryKind.of(memory), most);
            case Retention.Persistent _,
                Retention.Session _,
                Retention.Scope _,
                Retention.CompressOn _ ->
                false;
          };
    }
    return more;
  }

  private Stream<MemoryDefinition> memories() {
    return desk.deployed().stream().flatMap(config -> config.memories().stream());
  }

  /** The smallest number that a memory of this kind is limited to. */
  private OptionalInt most(MemoryKind kind) {
    return memories()
        .filter(memory -> MemoryKind.of(memory) == kind)
        .map(MemoryDefinition::retention)
        .filter(Retention.Max.class::isInstance)
        .mapToInt(retention -> ((Retention.Max) retention).count())
        .min();
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

  /** Only what has ended goes. */
  private boolean keepTrajectories(int most) {
    long over = desk.transaction().count(Query.over(Trajectory.TABLE)) - most;
    return over > 0 && removeTrajectory(ended(desk.now()));
  }

  private Stream<Trajectory> ended(Instant before) {
    return Stream.of(TrajectoryStatus.COMPLETED, TrajectoryStatus.FAILED)
        .flatMap(status -> desk.view().untouchedSince(status, before, 1).stream());
  }

  private boolean removeTrajectory(Stream<Trajectory> ended) {
    List<Trajectory> oldest =
        ended.sorted(Comparator.comparing(Trajectory::updatedAt)).limit(1).toList();
    oldest.forEach(new ForgetWork(desk)::remove);
    return !oldest.isEmpty();
  }

  private static Query<Turn> turnsBefore(Id trajectory, int position) {
    return Query.over(Turn.TABLE, "trajectory", "position")
        .equal(trajectory)
        .until((long) position);
  }

  private void keepArtifacts(Id trajectory, int most) {
    int over = (int) desk.view().countArtifacts(trajectory) - most;
    if (over > 0) {
      desk.view().artifacts(trajectory).stream()
          .sorted(Comparator.comparing(Artifact::createdAt).thenComparing(Artifact::id))
          .limit(Math.min(over, batch))
          .forEach(old -> remove(EntityType.ARTIFACT, old.id()));
    }
  }

  /** Of a scope beyond the number its turns go; its summary stays with it. */
  private void keepScopes(Id trajectory, int most) {
    List<Scope> closed =
        desk.view().scopes(trajectory).stream()
            .filter(scope -> !scope.isOpen() && scope.turns() > 0)
            .toList();
    List<Scope> over = closed.subList(0, Math.max(0, closed.size() - most));
    over.reversed().stream().takeWhile(this::hasTurns).forEach(this::removeTurnsOf);
  }

  /** Those before a scope without turns have lost theirs at an earlier close. */
  private boolean hasTurns(Scope scope) {
    return !desk.view().lastTurns(scope.id(), 1).isEmpty();
  }

  private void removeTurnsOf(Scope scope) {
    removeTurns(Query.over(Turn.TABLE, "scope", "sequence").equal(scope.id()));
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
