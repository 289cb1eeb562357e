package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.memory.record.Trajectory;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which records one window may show, and which it has passed over because they belong to another
 * subject. For one thread.
 */
final class VisibleSubjects {
  private final SubjectScope scope;
  private final Optional<Id> own;
  private final Set<Id> passedOver = new HashSet<>();

  private VisibleSubjects(SubjectScope scope, Optional<Id> own) {
    this.scope = scope;
    this.own = own;
  }

  /** What this window may show. */
  static VisibleSubjects of(AssembleRequest request, Trajectory trajectory) {
    return new VisibleSubjects(
        scopeOf(request, trajectory),
        Optional.of(trajectory.id()).filter(_ -> request.subject().isEmpty()));
  }

  /**
   * The subject of the trajectory, or the one the window is asked for, and the subjects that were
   * named. A group has no subject: for one subject, its window shows what belongs to that subject
   * and to none.
   */
  static SubjectScope scopeOf(AssembleRequest request, Trajectory trajectory) {
    requireOwner(request, trajectory);
    SubjectScope base = SubjectScope.of(trajectory.labels().subject().or(request::subject));
    return request.visible().map(named -> union(base, named)).orElse(base);
  }

  private static SubjectScope union(SubjectScope one, SubjectScope other) {
    Set<String> subjects = new HashSet<>(one.subjects());
    subjects.addAll(other.subjects());
    return other.all() ? other : SubjectScope.of(subjects);
  }

  private static void requireOwner(AssembleRequest request, Trajectory trajectory) {
    Optional<String> owner = trajectory.labels().subject();
    request
        .subject()
        .filter(name -> owner.filter(own -> !own.equals(name)).isPresent())
        .ifPresent(
            name -> {
              throw MemoryException.otherSubject(trajectory, name);
            });
  }

  /** Whether the window may show a record of this trajectory; one it may not show is counted. */
  boolean sees(Id record, Id trajectory, Optional<String> subject) {
    return own.filter(trajectory::equals).isPresent() || sees(record, subject);
  }

  /** Whether the window may show a note; one it may not show is counted. */
  boolean sees(Id record, Optional<String> subject) {
    boolean seen = scope.sees(subject);
    if (!seen) {
      passedOver.add(record);
    }
    return seen;
  }

  /** How many records rules have come to that belong to another subject. */
  int passedOver() {
    return passedOver.size();
  }
}
