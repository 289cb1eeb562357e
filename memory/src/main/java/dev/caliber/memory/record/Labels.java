package dev.caliber.memory.record;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What callers hang on a record to find it again.
 *
 * @param subject the person or thing it is about or belongs to
 * @param externalId its name in the caller's own system
 * @param metadata anything else: texts, numbers and flags by name
 */
public record Labels(
    Optional<String> subject, Optional<String> externalId, Map<String, Object> metadata) {

  /** The entry of the metadata that a promoted record has. */
  public static final String PROMOTED = "promoted";

  private static final Labels NONE = new Labels(Optional.empty(), Optional.empty(), Map.of());

  public Labels {
    subject.ifPresent(text -> Texts.requireFilled("subject", text));
    externalId.ifPresent(text -> Texts.requireFilled("external id", text));
    metadata = metadata.isEmpty() ? Collections.emptyMap() : sorted(metadata);
  }

  private static Map<String, Object> sorted(Map<String, Object> metadata) {
    Map<String, Object> sorted = new TreeMap<>();
    metadata.forEach(
        (key, value) -> sorted.put(Texts.requireFilled("metadata", key), plain(value)));
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

  /**
   * Without a subject: the record belongs to the whole space, and its trajectory's to it no more.
   */
  Labels promoted() {
    return new Labels(Optional.empty(), externalId, metadata).with(PROMOTED, true);
  }

  /** Whether the record was made one of the whole space. */
  public boolean isPromoted() {
    return subject.isEmpty() && Boolean.TRUE.equals(metadata.get(PROMOTED));
  }

  /** Whether the record says itself whose it is: it is not that of its trajectory's subject. */
  public boolean isSettled() {
    return subject.isPresent() || isPromoted();
  }

  public Labels withExternalId(String other) {
    return new Labels(subject, Optional.of(other), metadata);
  }

  /** With one more entry of metadata. */
  public Labels with(String key, Object value) {
    Map<String, Object> more = new TreeMap<>(metadata);
    more.put(key, value);
    return new Labels(subject, externalId, more);
  }

  /** The subject, which what is made of a record inherits. */
  public Labels subjectOnly() {
    return new Labels(subject, Optional.empty(), Map.of());
  }

  /** These labels; what they lack comes from the others. */
  public Labels or(Labels others) {
    Map<String, Object> all = new TreeMap<>(others.metadata);
    all.putAll(metadata);
    return new Labels(
        subject.or(() -> others.subject), externalId.or(() -> others.externalId), all);
  }

  /**
   * These labels and those that came later: subject and external id are the first ones that were
   * given, of metadata the last value of each name holds.
   */
  public Labels and(Labels later) {
    Map<String, Object> all = new TreeMap<>(metadata);
    all.putAll(later.metadata);
    return new Labels(subject.or(() -> later.subject), externalId.or(() -> later.externalId), all);
  }

  /** Whether the caller's own system has two names for what they are on. */
  public boolean isNamedUnlike(Labels other) {
    return externalId.isPresent()
        && other.externalId.isPresent()
        && !externalId.equals(other.externalId);
  }

  /** Whole numbers as Long, others as Double, so that equal values are equal after storing. */
  private static Object plain(Object value) {
    return switch (value) {
      case String text -> Texts.require("metadata", text);
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
