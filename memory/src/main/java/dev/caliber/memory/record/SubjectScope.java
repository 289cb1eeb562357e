package dev.caliber.memory.record;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * Which subjects' records a reader sees. A record without a subject belongs to the whole space, and
 * every reader of the space sees it.
 *
 * @param all whether the reader sees the records of every subject
 * @param subjects the subjects whose records the reader sees, where it does not see all
 */
public record SubjectScope(boolean all, Set<String> subjects) {
  private static final SubjectScope EVERY = new SubjectScope(true, Set.of());
  private static final SubjectScope SHARED = new SubjectScope(false, Set.of());

  public SubjectScope {
    subjects = all ? Set.of() : Set.copyOf(subjects);
    subjects.forEach(subject -> Texts.requireFilled("subject", subject));
  }

  /** The records of every subject. */
  public static SubjectScope every() {
    return EVERY;
  }

  /** Only records without a subject. */
  public static SubjectScope shared() {
    return SHARED;
  }

  /** The records of these subjects, and those without one. */
  public static SubjectScope of(Collection<String> subjects) {
    return new SubjectScope(false, Set.copyOf(subjects));
  }

  /** The records of this subject, and those without one. */
  public static SubjectScope of(Optional<String> subject) {
    return subject.map(name -> of(Set.of(name))).orElse(SHARED);
  }

  /** Whether the reader sees a record with these labels. */
  public boolean sees(Labels labels) {
    return sees(labels.subject());
  }

  /** Whether the reader sees a record of this subject. */
  public boolean sees(Optional<String> subject) {
    return all || subject.isEmpty() || subjects.contains(subject.get());
  }
}
