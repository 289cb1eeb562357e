package dev.caliber.memory.record;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Labels that callers put on a record to find it again.
 *
 * @param subject the person or thing it is about or belongs to
 * @param externalId its name in the caller's own system
 * @param metadata anything else: texts, numbers and flags by name
 */
public record Labels(
    Optional<String> subject, Optional<String> externalId, Map<String, Object> metadata) {

  /** Metadata key of a promoted record. */
  public static final String PROMOTED = "promoted";

  private static final Labels NONE = new Labels(Optional.empty(), Optional.empty(), Map.of());

  public Labels {
    subject.ifPresent(text -> TextChecks.requireNotBlank("subject", text));
    externalId.ifPresent(text -> TextChecks.requireNotBlank("external id", text));
    metadata = metadata.isEmpty() ? Collections.emptyMap() : sorted(metadata);
  }

  private static Map<String, Object> sorted(Map<String, Object> metadata) {
    Map<String, Object> sorted = new TreeMap<>();
    metadata.forEach(
        (key, value) ->
            sorted.put(TextChecks.requireNotBlank("metadata", key), normalizedValue(value)));
    return Collections.unmodifiableMap(sorted);
  }

  public static Labels none() {
    return NONE;
  }

  public static Labels ofSubject(String subject) {
    return NONE.withSubject(subject);
  }

  public static Labels ofExternalId(String externalId) {
    return NONE.withExternalId(externalId);
  }

  public Labels withSubject(String other) {
    return new Labels(Optional.of(other), externalId, metadata);
  }

  /** Removes the subject: the record belongs to the whole space from now on. */
  public Labels asPromoted() {
    return new Labels(Optional.empty(), externalId, metadata).withMetadata(PROMOTED, true);
  }

  /** Returns whether the record was promoted to the whole space. */
  public boolean isPromoted() {
    return subject.isEmpty() && Boolean.TRUE.equals(metadata.get(PROMOTED));
  }

  /**
   * Returns whether the record decides its subject itself, instead of inheriting its trajectory's.
   */
  public boolean hasOwnSubject() {
    return subject.isPresent() || isPromoted();
  }

  public Labels withExternalId(String other) {
    return new Labels(subject, Optional.of(other), metadata);
  }

  /** Adds an entry of metadata. */
  public Labels withMetadata(String key, Object value) {
    Map<String, Object> more = new TreeMap<>(metadata);
    more.put(key, value);
    return new Labels(subject, externalId, more);
  }

  /** Returns only the subject, which derived records inherit. */
  public Labels subjectOnly() {
    return new Labels(subject, Optional.empty(), Map.of());
  }

  /** Returns these labels with the others as defaults. */
  public Labels withDefaults(Labels others) {
    Map<String, Object> all = new TreeMap<>(others.metadata);
    all.putAll(metadata);
    return new Labels(
        subject.or(() -> others.subject), externalId.or(() -> others.externalId), all);
  }

  /**
   * Merges later labels: subject and external id keep the first value, each metadata key the last.
   */
  public Labels mergedWith(Labels later) {
    Map<String, Object> all = new TreeMap<>(metadata);
    all.putAll(later.metadata);
    return new Labels(subject.or(() -> later.subject), externalId.or(() -> later.externalId), all);
  }

  /** Returns whether both have an external id and these differ. */
  public boolean hasDifferentExternalId(Labels other) {
    return externalId.isPresent()
        && other.externalId.isPresent()
        && !externalId.equals(other.externalId);
  }

  /**
   * Converts whole numbers to Long, others to Double, so that equal values are equal after storing.
   */
  private static Object normalizedValue(Object value) {
    return switch (value) {
      case String text -> TextChecks.requireStorable("metadata", text);
      case Boolean flag -> flag;
      case Integer number -> number.longValue();
      case Long number -> number;
      case Float number -> number.doubleValue();
      case Double number -> number;
      default ->
          throw MemoryException.invalid(
              "metadata", "text, numbers and flags", value.getClass().getSimpleName());
    };
  }
}
