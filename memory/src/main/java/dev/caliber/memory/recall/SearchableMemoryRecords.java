package dev.caliber.memory.recall;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.search.Searchable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Searchable records: live notes, turns, text artifacts and summaries of scopes. */
public final class SearchableMemoryRecords {
  static final String SUBJECT = "subject";
  static final String EXTERNAL_ID = "external_id";
  static final String ENTITY = "entity";
  static final String TRAJECTORY = "trajectory_id";
  static final String NOTE_TYPE = "note_type";
  static final String METADATA = "metadata";
  static final String BEGINS = "valid_from";
  static final String ENDS = "valid_until";
  static final String CREATED = "created_at";

  private SearchableMemoryRecords() {}

  public static List<Searchable<?>> all() {
    return List.of(notes(), turns(), artifacts(), scopes());
  }

  private static Searchable<Note> notes() {
    return Searchable.of(Note.TABLE)
        .body(Note::content)
        .title(Note::entity)
        .keyword(SUBJECT, note -> note.labels().subject().orElse(null))
        .keyword(EXTERNAL_ID, note -> note.labels().externalId().orElse(null))
        .keyword(ENTITY, Note::entity)
        .keyword("entity_type", Note::entityType)
        .keyword(NOTE_TYPE, note -> lowerCaseName(note.type()))
        .keywords(TRAJECTORY, note -> keys(note.sources()))
        .keywords(METADATA, note -> metadataKeywords(note.labels()))
        .number("confidence", Note::confidence)
        .time(BEGINS, note -> note.valid().from().orElse(null))
        .time(ENDS, note -> note.valid().until().orElse(null))
        .time(CREATED, Note::createdAt)
        .documentTime(Note::recordedAt)
        .trust(Note::confidence)
        .links(Note.TABLE, note -> keys(note.conflictsWith()))
        .onlyIf(Note::isBelieved);
  }

  private static Searchable<Turn> turns() {
    return Searchable.of(Turn.TABLE)
        .body(Turn::searchableText)
        .speaker(turn -> turn.speaker().orElseGet(() -> lowerCaseName(turn.role())))
        .embedded(
            turn -> turn.speaker().map(name -> name + ": ").orElse("") + turn.searchableText())
        .keyword(SUBJECT, turn -> turn.labels().subject().orElse(null))
        .keyword(EXTERNAL_ID, turn -> turn.labels().externalId().orElse(null))
        .keyword(TRAJECTORY, turn -> turn.trajectory().toString())
        .keyword("scope_id", turn -> turn.scope().toString())
        .keyword("role", turn -> lowerCaseName(turn.role()))
        .keywords(METADATA, turn -> metadataKeywords(turn.labels()))
        .number("token_count", Turn::tokens)
        .time(CREATED, Turn::createdAt)
        .documentTime(Turn::createdAt)
        .group(turn -> turn.scope().toString())
        .position(Turn::position)
        .onlyIf(turn -> turn.rolledBackAt().isEmpty());
  }

  private static Searchable<Artifact> artifacts() {
    return Searchable.of(Artifact.TABLE)
        .body(SearchableMemoryRecords::text)
        .keyword(SUBJECT, artifact -> artifact.labels().subject().orElse(null))
        .keyword(EXTERNAL_ID, artifact -> artifact.labels().externalId().orElse(null))
        .keyword(TRAJECTORY, artifact -> artifact.trajectory().toString())
        .keyword("scope_id", artifact -> artifact.scope().toString())
        .keyword("artifact_type", artifact -> lowerCaseName(artifact.type()))
        .keywords(METADATA, artifact -> metadataKeywords(artifact.labels()))
        .number("confidence", artifact -> artifact.provenance().confidence().orElse(null))
        .time(ENDS, artifact -> artifact.expiresAt().orElse(null))
        .time(CREATED, Artifact::createdAt)
        .documentTime(Artifact::createdAt)
        .trust(artifact -> artifact.provenance().confidence().orElse(null))
        .group(artifact -> artifact.trajectory().toString())
        .links(Turn.TABLE, artifact -> keys(artifact.provenance().sources()))
        .links(Artifact.TABLE, artifact -> keys(artifact.provenance().sources()))
        .onlyIf(Artifact::isCurrent);
  }

  private static Searchable<Scope> scopes() {
    return Searchable.of(Scope.TABLE)
        .body(scope -> scope.summary().map(Summary::text).orElse(null))
        .keyword(SUBJECT, scope -> scope.subject().orElse(null))
        .keyword(TRAJECTORY, scope -> scope.trajectory().toString())
        .keyword("scope_id", scope -> scope.id().toString())
        .documentTime(Scope::openedAt)
        .group(scope -> scope.trajectory().toString())
        .links(Turn.TABLE, scope -> keys(scope.summary().map(Summary::sources).orElse(List.of())))
        .onlyIf(scope -> scope.summary().isPresent())
        .version(2);
  }

  private static List<String> keys(List<Id> ids) {
    return ids.stream().map(Id::toString).toList();
  }

  private static @Nullable String text(Artifact artifact) {
    return artifact.content().text().orElse(null);
  }

  static String lowerCaseName(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> metadataKeywords(Labels labels) {
    return labels.metadata().entrySet().stream()
        .map(SearchableMemoryRecords::metadataKeyword)
        .toList();
  }

  /** Returns one keyword for a name and its value. */
  static String metadataKeyword(Map.Entry<String, Object> entry) {
    return entry.getKey() + "=" + entry.getValue();
  }
}
