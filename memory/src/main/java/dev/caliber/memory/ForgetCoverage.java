package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which records of one snapshot a {@link Forget} means: those are hidden from its first commit, and
 * erased by the others. Records of other modules are covered with the trajectory that they name.
 */
final class ForgetCoverage {
  /**
   * Clocks of two processes may differ by this. What a faster clock has dated later than the
   * request, but not later than this, is taken for older: it is erased rather than left.
   */
  private static final Duration CLOCK_BOUND = Duration.ofSeconds(10);

  private static final String TRAJECTORY = "trajectory";

  private static final Set<Table<?>> COVERED =
      Set.of(Trajectory.TABLE, Note.TABLE, PastNote.TABLE, PastSummary.TABLE);

  private final Snapshot snapshot;
  private final Forget command;
  private final Instant until;
  private final Map<Id, Boolean> trajectories = new HashMap<>();

  /** Over a snapshot in which nothing is hidden. */
  ForgetCoverage(Snapshot snapshot, Forget command, Instant at) {
    this.snapshot = snapshot;
    this.command = command;
    this.until = at.plus(CLOCK_BOUND);
  }

  static ForgetCoverage of(Snapshot snapshot, ForgetRequest request) {
    return new ForgetCoverage(snapshot, request.command(), request.at());
  }

  /** Whether records of this table can be covered; traces only name records. */
  static boolean mayCover(Table<?> table) {
    return COVERED.contains(table)
        || (table.hasColumn(TRAJECTORY) && !table.equals(TraceEvent.TABLE));
  }

  <T> boolean covers(Table<T> table, T record) {
    return switch (record) {
      case Trajectory task -> covers(task);
      case Scope scope -> coversScope(scope.id(), scope.trajectory());
      case Turn turn ->
          isNamed(turn.id())
              || fits(turn.createdAt(), filter -> filter.passes(turn))
              || coversScope(turn.scope(), turn.trajectory());
      case Artifact made ->
          isNamed(made.id())
              || fits(made.createdAt(), filter -> filter.passes(made))
              || coversScope(made.scope(), made.trajectory());
      case Checkpoint point ->
          isNamed(point.id())
              || point.scope().filter(this::isNamed).isPresent()
              || coversTrajectory(point.trajectory());
      case Note note -> covers(note);
      case PastNote past -> covers(past.note());
      case PastSummary past -> isNamed(past.about()) || isCoveredTrajectory(past.about());
      default ->
          table
              .textOf(TRAJECTORY, record)
              .map(Id::parse)
              .filter(this::coversTrajectory)
              .isPresent();
    };
  }

  private boolean covers(Note note) {
    return isNamed(note.id())
        || fits(note.createdAt(), filter -> filter.passes(note))
        || (!note.sources().isEmpty() && note.sources().stream().allMatch(this::coversTrajectory));
  }

  private boolean covers(Trajectory task) {
    return isNamed(task.id())
        || subject()
            .filter(subject -> task.labels().subject().equals(Optional.of(subject)))
            .filter(_ -> isOlder(task.createdAt()))
            .isPresent();
  }

  boolean coversScope(Id scope, Id trajectory) {
    return isNamed(scope) || coversTrajectory(trajectory);
  }

  /** One that is gone while others of its records are still being erased stays covered. */
  boolean coversTrajectory(Id id) {
    return isNamed(id)
        || (subject().isPresent() && trajectories.computeIfAbsent(id, this::isOfSubject));
  }

  private boolean isCoveredTrajectory(Id about) {
    return subject().isPresent()
        && snapshot.find(Trajectory.TABLE, about).filter(this::covers).isPresent();
  }

  private boolean isOfSubject(Id id) {
    return snapshot
        .find(Trajectory.TABLE, id)
        .map(this::covers)
        .orElseGet(
            () ->
                snapshot
                    .find(Tombstone.TABLE, id)
                    .filter(gone -> gone.type() == EntityType.TRAJECTORY)
                    .isPresent());
  }

  private Optional<String> subject() {
    return command.filter().flatMap(RecallFilter::subjectAlone);
  }

  private boolean isNamed(Id id) {
    return command.id().filter(id::equals).isPresent();
  }

  private boolean fits(Instant createdAt, Predicate<RecallFilter> passes) {
    return command.filter().filter(passes).isPresent() && isOlder(createdAt);
  }

  private boolean isOlder(Instant createdAt) {
    return !createdAt.isAfter(until);
  }
}
