package dev.caliber.memory.record;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * Set of subjects whose records a reader sees. A record without a subject belongs to the whole
 * space, and every reader of the space sees it.
 *
 * @param all whether the reader sees the records of every subject
 * @param subjects the subjects whose records the reader sees, unless it sees all
 */
public record ReadableSubjects(boolean all, Set<String> subjects) {
  private static final ReadableSubjects EVERY = new ReadableSubjects(true, Set.of());
  private static final ReadableSubjects SHARED = new ReadableSubjects(false, Set.of());

  public ReadableSubjects {
    subjects = all ? Set.of() : Set.copyOf(subjects);
    subjects.forEach(subject -> TextChecks.requireNotBlank("subject", subject));
  }

  /** Returns a scope that sees the records of every subject. */
  public static ReadableSubjects everySubject() {
    return EVERY;
  }

  /** Returns a scope that sees only records without a subject. */
  public static ReadableSubjects sharedOnly() {
    return SHARED;
  }

  /** Returns a scope that sees the records of these subjects and those without one. */
  public static ReadableSubjects of(Collection<String> subjects) {
    return new ReadableSubjects(false, Set.copyOf(subjects));
  }

  /** Returns a scope that sees the records of this subject and those without one. */
  public static ReadableSubjects of(Optional<String> subject) {
    return subject.map(name -> of(Set.of(name))).orElse(SHARED);
  }

  /** Returns whether the reader sees a record with these labels. */
  public boolean includes(Labels labels) {
    return includes(labels.subject());
  }

  /** Returns whether the reader sees a record of this subject. */
  public boolean includes(Optional<String> subject) {
    return all || subject.isEmpty() || subjects.contains(subject.get());
  }
}
