package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.Id;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.recall.RecordVisibility;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Snapshot;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Visibility of records for one window; counts the records it hides because they belong to another
 * subject. For one thread.
 */
public final class WindowSubjectFilter {
  /** Maximum number of hidden records counted; at this number the count is a lower bound. */
  public static final int PASSED_OVER_BOUND = 1000;

  private final RecordVisibility subjects;
  private final ReadableSubjects scope;
  private final Optional<Id> own;
  private final boolean group;
  private final Set<Id> passedOver = new HashSet<>();

  private WindowSubjectFilter(
      RecordVisibility subjects, ReadableSubjects scope, Optional<Id> own, boolean group) {
    this.group = group;
    this.subjects = subjects;
    this.scope = scope;
    this.own = own;
  }

  public static WindowSubjectFilter of(
      Snapshot snapshot, AssembleRequest request, Trajectory trajectory) {
    boolean ofAll = request.subject().isEmpty();
    return new WindowSubjectFilter(
        new RecordVisibility(snapshot),
        subjectScope(request, trajectory),
        Optional.of(trajectory.id()).filter(_ -> ofAll),
        trajectory.isGroup() && ofAll);
  }

  /**
   * Returns the subject of the trajectory, or else of the request, and the subjects named. A group
   * has no subject: for one subject, its window shows records of that subject and records without
   * one.
   */
  public static ReadableSubjects subjectScope(AssembleRequest request, Trajectory trajectory) {
    trajectory.requireSubject(request.subject());
    ReadableSubjects base = ReadableSubjects.of(trajectory.labels().subject().or(request::subject));
    return request.visible().map(named -> union(base, named)).orElse(base);
  }

  private static ReadableSubjects union(ReadableSubjects one, ReadableSubjects other) {
    Set<String> subjects = new HashSet<>(one.subjects());
    subjects.addAll(other.subjects());
    return other.all() ? other : ReadableSubjects.of(subjects);
  }

  /** Returns whether this is the window of a group, not of one member. */
  boolean isGroupWindow() {
    return group;
  }

  /** Returns whether the window may show the turn; hidden records are counted, here and below. */
  boolean canShow(Turn turn) {
    return countIfHidden(
        turn.id(), isOwnTrajectory(turn.trajectory()) || subjects.isVisible(scope, turn));
  }

  boolean canShow(Artifact made) {
    return countIfHidden(
        made.id(), isOwnTrajectory(made.trajectory()) || subjects.isVisible(scope, made));
  }

  /** Returns whether the window may show the summary of the scope. */
  boolean canShow(Scope summarized) {
    boolean seen =
        isOwnTrajectory(summarized.trajectory()) || subjects.isVisible(scope, summarized);
    return countIfHidden(summarized.id(), seen);
  }

  boolean canShow(Note note) {
    return countIfHidden(note.id(), subjects.isVisible(scope, note));
  }

  private boolean isOwnTrajectory(Id trajectory) {
    return own.filter(trajectory::equals).isPresent();
  }

  private boolean countIfHidden(Id record, boolean seen) {
    if (!seen && !isCountLimitReached()) {
      passedOver.add(record);
    }
    return seen;
  }

  /** Returns whether counting of hidden records has stopped. */
  boolean isCountLimitReached() {
    return passedOver.size() >= PASSED_OVER_BOUND;
  }

  /** Returns the owners of notes that the window may show, if it does not show all. */
  Stream<String> noteOwners() {
    return Stream.concat(Stream.of(Optional.<String>empty()), namedSubjects())
        .map(Note::ownerColumn);
  }

  private Stream<Optional<String>> namedSubjects() {
    return scope.subjects().stream().sorted().map(Optional::of);
  }

  /** Returns the number of records hidden because they belong to another subject. */
  public int hiddenCount() {
    return passedOver.size();
  }
}
