package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.memory.RecordSubjects;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Snapshot;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which records one window may show, and which it has passed over because they belong to another
 * subject. For one thread.
 */
final class VisibleSubjects {
  /** The most records that are counted as passed over; a window with so many has at least them. */
  static final int PASSED_OVER_BOUND = 1000;

  private final RecordSubjects subjects;
  private final SubjectScope scope;
  private final Optional<Id> own;
  private final boolean group;
  private final Set<Id> passedOver = new HashSet<>();

  private VisibleSubjects(
      RecordSubjects subjects, SubjectScope scope, Optional<Id> own, boolean group) {
    this.group = group;
    this.subjects = subjects;
    this.scope = scope;
    this.own = own;
  }

  /** What this window may show. */
  static VisibleSubjects of(Snapshot snapshot, AssembleRequest request, Trajectory trajectory) {
    boolean ofAll = request.subject().isEmpty();
    return new VisibleSubjects(
        new RecordSubjects(snapshot),
        scopeOf(request, trajectory),
        Optional.of(trajectory.id()).filter(_ -> ofAll),
        trajectory.isGroup() && ofAll);
  }

  /**
   * The subject of the trajectory, or the one the window is asked for, and the subjects that were
   * named. A group has no subject: for one subject, its window shows what belongs to that subject
   * and to none.
   */
  static SubjectScope scopeOf(AssembleRequest request, Trajectory trajectory) {
    trajectory.requireSubject(request.subject());
    SubjectScope base = SubjectScope.of(trajectory.labels().subject().or(request::subject));
    return request.visible().map(named -> union(base, named)).orElse(base);
  }

  private static SubjectScope union(SubjectScope one, SubjectScope other) {
    Set<String> subjects = new HashSet<>(one.subjects());
    subjects.addAll(other.subjects());
    return other.all() ? other : SubjectScope.of(subjects);
  }

  /** Whether it is the window of a group, and not of one member. */
  boolean isOfGroup() {
    return group;
  }

  /** Whether the window may show the turn; one it may not show is counted, here and below. */
  boolean sees(Turn turn) {
    return counted(turn.id(), isOwn(turn.trajectory()) || subjects.sees(scope, turn));
  }

  /** Whether the window may show the artifact. */
  boolean sees(Artifact made) {
    return counted(made.id(), isOwn(made.trajectory()) || subjects.sees(scope, made));
  }

  /** Whether the window may show the summary of the scope. */
  boolean sees(Scope summarized) {
    boolean seen = isOwn(summarized.trajectory()) || subjects.sees(scope, summarized);
    return counted(summarized.id(), seen);
  }

  /** Whether the window may show the note. */
  boolean sees(Note note) {
    return counted(note.id(), subjects.sees(scope, note));
  }

  private boolean isOwn(Id trajectory) {
    return own.filter(trajectory::equals).isPresent();
  }

  private boolean counted(Id record, boolean seen) {
    if (!seen && !isCountedOut()) {
      passedOver.add(record);
    }
    return seen;
  }

  /** Whether no more records are counted as passed over. */
  boolean isCountedOut() {
    return passedOver.size() >= PASSED_OVER_BOUND;
  }

  /** The owners of notes that the window may show, where it does not show those of all. */
  Stream<String> noteOwners() {
    return Stream.concat(Stream.of(Optional.<String>empty()), named()).map(Note::ownerOf);
  }

  private Stream<Optional<String>> named() {
    return scope.subjects().stream().sorted().map(Optional::of);
  }

  /** How many records rules have come to that belong to another subject. */
  int passedOver() {
    return passedOver.size();
  }
}
