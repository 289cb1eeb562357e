package dev.caliber.memory.forget;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.ForgetRequest;
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
 * Set of records in a snapshot that a {@link ForgetRecords} covers. They are hidden from its first
 * commit and erased by the later ones. Records of other modules are covered with the trajectory
 * that they name.
 */
public final class ForgetRecordMatcher {
  /**
   * Tolerance for the clocks of two processes. A record dated later than the request by at most
   * this much counts as older: it is erased rather than left.
   */
  private static final Duration CLOCK_BOUND = Duration.ofSeconds(10);

  private static final String TRAJECTORY = "trajectory";

  private static final Set<Table<?>> COVERED =
      Set.of(Trajectory.TABLE, Note.TABLE, PastNote.TABLE, PastSummary.TABLE);

  private final Snapshot snapshot;
  private final ForgetRecords command;
  private final Instant until;
  private final Map<Id, Boolean> trajectories = new HashMap<>();

  /** Expects a snapshot in which nothing is hidden. */
  ForgetRecordMatcher(Snapshot snapshot, ForgetRecords command, Instant at) {
    this.snapshot = snapshot;
    this.command = command;
    this.until = at.plus(CLOCK_BOUND);
  }

  public static ForgetRecordMatcher of(Snapshot snapshot, ForgetRequest request) {
    return new ForgetRecordMatcher(snapshot, request.command(), request.at());
  }

  /** Returns whether records of this table can be covered; trace events only name records. */
  static boolean mayCover(Table<?> table) {
    return COVERED.contains(table)
        || (table.hasColumn(TRAJECTORY) && !table.equals(TraceEvent.TABLE));
  }

  <T> boolean covers(Table<T> table, T record) {
    return switch (record) {
      case Trajectory task -> covers(task);
      case Scope scope -> coversScope(scope.id(), scope.trajectory());
      case Turn turn ->
          isRequestedId(turn.id())
              || matchesFilter(turn.createdAt(), filter -> filter.matches(turn))
              || coversScope(turn.scope(), turn.trajectory());
      case Artifact made ->
          isRequestedId(made.id())
              || matchesFilter(made.createdAt(), filter -> filter.matches(made))
              || coversScope(made.scope(), made.trajectory());
      case Checkpoint point ->
          isRequestedId(point.id())
              || point.scope().filter(this::isRequestedId).isPresent()
              || coversTrajectory(point.trajectory());
      case Note note -> covers(note);
      case PastNote past -> covers(past.note());
      case PastSummary past -> isRequestedId(past.about()) || isCoveredTrajectory(past.about());
      default ->
          table
              .textValue(TRAJECTORY, record)
              .map(Id::parse)
              .filter(this::coversTrajectory)
              .isPresent();
    };
  }

  private boolean covers(Note note) {
    return isRequestedId(note.id())
        || matchesFilter(note.createdAt(), filter -> filter.matches(note))
        || (!note.sources().isEmpty() && note.sources().stream().allMatch(this::coversTrajectory));
  }

  private boolean covers(Trajectory task) {
    return isRequestedId(task.id())
        || requestedSubject()
            .filter(subject -> task.labels().subject().equals(Optional.of(subject)))
            .filter(_ -> isBeforeRequest(task.createdAt()))
            .isPresent();
  }

  boolean coversScope(Id scope, Id trajectory) {
    return isRequestedId(scope) || coversTrajectory(trajectory);
  }

  /** Returns whether the trajectory is covered, also after its own row is erased. */
  boolean coversTrajectory(Id id) {
    return isRequestedId(id)
        || (requestedSubject().isPresent() && trajectories.computeIfAbsent(id, this::isOfSubject));
  }

  private boolean isCoveredTrajectory(Id about) {
    return requestedSubject().isPresent()
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

  private Optional<String> requestedSubject() {
    return command.filter().flatMap(RecallFilter::onlySubject);
  }

  private boolean isRequestedId(Id id) {
    return command.id().filter(id::equals).isPresent();
  }

  private boolean matchesFilter(Instant createdAt, Predicate<RecallFilter> passes) {
    return command.filter().filter(passes).isPresent() && isBeforeRequest(createdAt);
  }

  private boolean isBeforeRequest(Instant createdAt) {
    return !createdAt.isAfter(until);
  }
}
