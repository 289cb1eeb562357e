package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Something that was learned and outlives its trajectory. It has two times: when it holds ({@code
 * valid}), and since when it is believed here ({@code recordedAt} to {@code retiredAt}). Earlier
 * versions are kept as {@link PastNote}, so that what was believed on a day can be asked for.
 *
 * @param entity what it is about, by name
 * @param entityType what sort of thing that is
 * @param sources the trajectories it was learned in
 * @param supersedes the notes whose place it took
 * @param conflictsWith the notes that cannot be true together with it
 * @param retiredAt since when it is no longer believed
 */
public record Note(
    Id id,
    int version,
    String entity,
    String entityType,
    NoteType type,
    String content,
    double confidence,
    Period valid,
    List<Id> sources,
    List<Id> supersedes,
    Optional<Id> supersededBy,
    List<Id> conflictsWith,
    Labels labels,
    Instant createdAt,
    Instant recordedAt,
    Optional<Instant> retiredAt) {

  /** The metadata that names the turns in which it was said, separated by a space. */
  public static final String TURN = "turn";

  /** The most turns that a note names: the newest. */
  static final int TURNS_BOUND = 16;

  private static final Pattern TURNS = Pattern.compile("\\w{26}( \\w{26})*"); // ULIDs

  private static final Pattern MARKS = Pattern.compile("[\\s\\p{P}]+");

  public static final Table<Note> TABLE =
      Table.of("note", "Long-lived knowledge.", Note.class, Note::id)
          .text("entity", Note::entity)
          .text("entity_type", Note::entityType)
          .text("type", note -> note.type.name())
          .text("live_entity", note -> note.isBelieved() ? note.entity : null)
          .text("live_subject", note -> note.isBelieved() ? ownerOf(note.labels.subject()) : null)
          .text("live_saying", note -> note.isBelieved() ? note.saying() : null)
          .text("subject", note -> Columns.text(note.labels.subject()))
          .text("owner", note -> ownerOf(note.labels.subject()))
          .text("external_id", note -> Columns.text(note.labels.externalId()))
          .real("confidence", Note::confidence)
          .integer("source_count", note -> note.sources.size())
          .instant("valid_until", note -> Columns.instant(note.valid.until()))
          .instant("recorded_at", Note::recordedAt)
          .instant("retired_at", note -> Columns.instant(note.retiredAt))
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

  /** A column's word for a subject; no subject is called by nothing. */
  public static String ownerOf(Optional<String> subject) {
    return subject.orElse("");
  }

  private String saying() {
    return sayingOf(entity, entityType, type, labels.subject(), content);
  }

  /**
   * A column's word for what is said of something: equal for two notes about the same thing, of one
   * type and for one subject, whose texts differ in nothing but case, white space and marks.
   */
  public static String sayingOf(
      String entity, String entityType, NoteType type, Optional<String> subject, String content) {
    String words = MARKS.matcher(content).replaceAll(" ").strip().toLowerCase(Locale.ROOT);
    return Id.deterministic("saying", entity, entityType, type.name(), ownerOf(subject), words)
        .toString();
  }

  public Note {
    Texts.requireFilled("entity of a note", entity);
    Texts.requireFilled("entity type of a note", entityType);
    Texts.requireFilled("note", content);
    Confidence.require(confidence);
    sources = List.copyOf(sources);
    supersedes = List.copyOf(supersedes);
    conflictsWith = List.copyOf(conflictsWith);
  }

  /** The turns in which it was said, oldest first. */
  public List<String> turns() {
    return turnsOf(labels);
  }

  private static List<String> turnsOf(Labels labels) {
    return labels.metadata().get(TURN) instanceof String turns && TURNS.matcher(turns).matches()
        ? List.of(turns.split(" "))
        : List.of();
  }

  /** These labels for a merge into the note: they name the note's turns, too. */
  public Labels withTurns(Labels again) {
    List<String> all = Lists.union(turns(), turnsOf(again));
    List<String> newest = all.subList(Math.max(0, all.size() - TURNS_BOUND), all.size());
    return turnsOf(again).isEmpty() ? again : again.with(TURN, String.join(" ", newest));
  }

  /** Whether it is still believed, whenever it holds. */
  public boolean isBelieved() {
    return retiredAt.isEmpty();
  }

  /** Whether it is believed and holds at this time. */
  public boolean isLive(Instant at) {
    return isBelieved() && valid.contains(at);
  }

  /** Whether this version was believed at that time. */
  public boolean wasBelieved(Instant at) {
    return !recordedAt.isAfter(at) && retiredAt.filter(end -> !at.isBefore(end)).isEmpty();
  }

  /** The next version: the same note with other words, learned from more, with more labels. */
  Note merged(String words, double newConfidence, List<Id> more, Labels again, Instant now) {
    return new Note(
        id,
        version + 1,
        entity,
        entityType,
        type,
        words,
        newConfidence,
        valid,
        Lists.union(sources, more),
        supersedes,
        supersededBy,
        conflictsWith,
        labels.and(again),
        createdAt,
        now,
        retiredAt);
  }

  /** The next version, whose period ends; it is still believed for the time before. */
  Note endingAt(Instant end, Instant now) {
    return new Note(
        id,
        version + 1,
        entity,
        entityType,
        type,
        content,
        confidence,
        valid.endedAt(end),
        sources,
        supersedes,
        supersededBy,
        conflictsWith,
        labels,
        createdAt,
        now,
        retiredAt);
  }

  /** The next version, which stands where another note did and cannot be at odds with it. */
  Note succeeding(Id old, Instant now) {
    return new Note(
        id,
        version + 1,
        entity,
        entityType,
        type,
        content,
        confidence,
        valid,
        sources,
        Lists.union(supersedes, List.of(old)),
        supersededBy,
        Lists.without(conflictsWith, old),
        labels,
        createdAt,
        now,
        retiredAt);
  }

  public Note superseding(Id old) {
    return linked(Lists.union(supersedes, List.of(old)), conflictsWith, supersededBy, retiredAt);
  }

  /** As it was before anything took its place, at odds with these. */
  public Note stillBelieved(List<Id> conflicts) {
    return linked(supersedes, conflicts, Optional.empty(), Optional.empty());
  }

  Note conflicting(Id other) {
    return linked(supersedes, Lists.union(conflictsWith, List.of(other)), supersededBy, retiredAt);
  }

  Note retired(Optional<Id> successor, Instant now) {
    return linked(supersedes, conflictsWith, successor, Optional.of(now));
  }

  /** The same version in other words, without some of the trajectories it was learned in. */
  Note reworded(String words, List<Id> gone, Labels left) {
    return new Note(
        id,
        version,
        entity,
        entityType,
        type,
        words,
        confidence,
        valid,
        Lists.minus(sources, gone),
        supersedes,
        supersededBy,
        conflictsWith,
        left,
        createdAt,
        recordedAt,
        retiredAt);
  }

  /** This version with other labels: of another subject, or of none. */
  Note relabelled(Labels other) {
    return reworded(content, List.of(), other);
  }

  /** Without links to a note that was forgotten. */
  Note unlinked(Id gone) {
    return linked(
        Lists.without(supersedes, gone),
        Lists.without(conflictsWith, gone),
        supersededBy.filter(successor -> !successor.equals(gone)),
        retiredAt);
  }

  private Note linked(
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
