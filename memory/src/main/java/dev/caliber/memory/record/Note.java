package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Learned statement that outlives its trajectory. It has two times: when it holds ({@code valid}),
 * and when it is believed here ({@code recordedAt} to {@code retiredAt}). Earlier versions are kept
 * as {@link PastNote}, so that a query can ask for the notes of a past day.
 *
 * @param entity name of what it is about
 * @param entityType type of the entity
 * @param sources the trajectories it was learned in
 * @param supersedes the notes that it superseded
 * @param conflictsWith the notes that cannot be true together with it
 * @param retiredAt when it stopped being believed
 */
public record Note(
    Id id,
    int version,
    String entity,
    String entityType,
    NoteType type,
    String content,
    double confidence,
    TimeRange valid,
    List<Id> sources,
    List<Id> supersedes,
    Optional<Id> supersededBy,
    List<Id> conflictsWith,
    Labels labels,
    Instant createdAt,
    Instant recordedAt,
    Optional<Instant> retiredAt) {

  /** Metadata key of the ids of its source turns, separated by a space. */
  public static final String TURN = "turn";

  /** Maximum number of source turns, the newest. */
  static final int TURNS_BOUND = 16;

  private static final Pattern TURNS = Pattern.compile("\\w{26}( \\w{26})*"); // ULIDs

  private static final Pattern MARKS = Pattern.compile("[\\s\\p{P}]+");

  public static final Table<Note> TABLE =
      Table.of("note", "Long-lived knowledge.", Note.class, Note::id)
          .text("entity", Note::entity)
          .text("entity_type", Note::entityType)
          .text("type", note -> note.type.name())
          .text("live_entity", note -> note.isBelieved() ? note.entity : null)
          .text(
              "live_subject", note -> note.isBelieved() ? ownerColumn(note.labels.subject()) : null)
          .text("live_saying", note -> note.isBelieved() ? note.statementKey() : null)
          .text("subject", note -> NullableColumns.textOrNull(note.labels.subject()))
          .text("owner", note -> ownerColumn(note.labels.subject()))
          .text("external_id", note -> NullableColumns.textOrNull(note.labels.externalId()))
          .real("confidence", Note::confidence)
          .integer("source_count", note -> note.sources.size())
          .instant("valid_until", note -> NullableColumns.instantOrNull(note.valid.until()))
          .instant("recorded_at", Note::recordedAt)
          .instant("retired_at", note -> NullableColumns.instantOrNull(note.retiredAt))
          .index("entity", "entity_type")
          .index("live_entity", "entity_type", "type")
          .index("live_entity", "entity_type", "type", "live_subject")
          .index("live_saying")
          .index("subject", "recorded_at")
          .index("owner", "recorded_at")
          .index("external_id", "recorded_at")
          .index("recorded_at")
          .index("retired_at")
          .view(
              "debug_note_confidence",
              """
              SELECT space, "key" AS id, entity, "type", confidence, source_count
              FROM note ORDER BY confidence DESC""");

  /** Returns the column value of an optional subject; no subject is empty. */
  public static String ownerColumn(Optional<String> subject) {
    return subject.orElse("");
  }

  private String statementKey() {
    return statementKeyOf(entity, entityType, type, labels.subject(), content);
  }

  /**
   * Returns a column value that is equal for two notes on the same entity, type and subject whose
   * texts differ only in case, white space and punctuation.
   */
  public static String statementKeyOf(
      String entity, String entityType, NoteType type, Optional<String> subject, String content) {
    String words = MARKS.matcher(content).replaceAll(" ").strip().toLowerCase(Locale.ROOT);
    return Id.derivedFrom("saying", entity, entityType, type.name(), ownerColumn(subject), words)
        .toString();
  }

  public Note {
    TextChecks.requireNotBlank("entity of a note", entity);
    TextChecks.requireNotBlank("entity type of a note", entityType);
    TextChecks.requireNotBlank("note", content);
    Confidence.require(confidence);
    sources = List.copyOf(sources);
    supersedes = List.copyOf(supersedes);
    conflictsWith = List.copyOf(conflictsWith);
  }

  /** Returns the ids of its source turns, oldest first. */
  public List<String> sourceTurns() {
    return turnsIn(labels);
  }

  private static List<String> turnsIn(Labels labels) {
    return labels.metadata().get(TURN) instanceof String turns && TURNS.matcher(turns).matches()
        ? List.of(turns.split(" "))
        : List.of();
  }

  /** Returns labels for a merge into this note, with the source turns of both. */
  public Labels mergedTurnLabels(Labels again) {
    List<String> all = DistinctLists.union(sourceTurns(), turnsIn(again));
    List<String> newest = all.subList(Math.max(0, all.size() - TURNS_BOUND), all.size());
    return turnsIn(again).isEmpty() ? again : again.withMetadata(TURN, String.join(" ", newest));
  }

  /** Returns whether it is not retired, whenever it holds. */
  public boolean isBelieved() {
    return retiredAt.isEmpty();
  }

  /** Returns whether it is believed and holds at this time. */
  public boolean isLive(Instant at) {
    return isBelieved() && valid.contains(at);
  }

  /** Returns whether this version was believed at that time. */
  public boolean wasBelieved(Instant at) {
    return !recordedAt.isAfter(at) && retiredAt.filter(end -> !at.isBefore(end)).isEmpty();
  }

  /** Returns the next version with other words, more sources and more labels. */
  public Note merged(String words, double newConfidence, List<Id> more, Labels again, Instant now) {
    return withContent(
        version + 1,
        words,
        newConfidence,
        valid,
        DistinctLists.union(sources, more),
        labels.mergedWith(again),
        now);
  }

  /** Returns the next version, valid until {@code end} and still believed for the time before. */
  public Note withValidityEnd(Instant end, Instant now) {
    return withContent(
        version + 1, content, confidence, valid.truncatedAt(end), sources, labels, now);
  }

  /** Returns the next version, which succeeds another note and does not conflict with it. */
  public Note asSuccessorOf(Id old, Instant now) {
    return withLinks(
            DistinctLists.union(supersedes, List.of(old)),
            DistinctLists.without(conflictsWith, old),
            supersededBy,
            retiredAt)
        .withContent(version + 1, content, confidence, valid, sources, labels, now);
  }

  public Note withSuperseded(Id old) {
    return withLinks(
        DistinctLists.union(supersedes, List.of(old)), conflictsWith, supersededBy, retiredAt);
  }

  /** Returns this version before its retirement, with these conflicts. */
  public Note unretired(List<Id> conflicts) {
    return withLinks(supersedes, conflicts, Optional.empty(), Optional.empty());
  }

  public Note withConflict(Id other) {
    return withLinks(
        supersedes, DistinctLists.union(conflictsWith, List.of(other)), supersededBy, retiredAt);
  }

  public Note asRetired(Optional<Id> successor, Instant now) {
    return withLinks(supersedes, conflictsWith, successor, Optional.of(now));
  }

  /** Returns this version in other words, without some of its sources. */
  public Note asReworded(String words, List<Id> gone, Labels left) {
    return withContent(
        version, words, confidence, valid, DistinctLists.minus(sources, gone), left, recordedAt);
  }

  /** Returns this version with other labels: of another subject, or of none. */
  public Note withLabels(Labels other) {
    return asReworded(content, List.of(), other);
  }

  /** Returns this note without links to a forgotten one. */
  public Note withoutLinksTo(Id gone) {
    return withLinks(
        DistinctLists.without(supersedes, gone),
        DistinctLists.without(conflictsWith, gone),
        supersededBy.filter(successor -> !successor.equals(gone)),
        retiredAt);
  }

  private Note withContent(
      int newVersion,
      String words,
      double newConfidence,
      TimeRange validity,
      List<Id> newSources,
      Labels newLabels,
      Instant recorded) {
    return new Note(
        id,
        newVersion,
        entity,
        entityType,
        type,
        words,
        newConfidence,
        validity,
        newSources,
        supersedes,
        supersededBy,
        conflictsWith,
        newLabels,
        createdAt,
        recorded,
        retiredAt);
  }

  private Note withLinks(
      List<Id> newSupersedes,
      List<Id> newConflicts,
      Optional<Id> successor,
      Optional<Instant> retired) {
    return new Note(
        id,
        version,
        entity,
        entityType,
        type,
        content,
        confidence,
        valid,
        sources,
        newSupersedes,
        successor,
        newConflicts,
        labels,
        createdAt,
        recordedAt,
        retired);
  }
}
