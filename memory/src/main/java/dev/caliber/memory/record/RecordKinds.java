package dev.caliber.memory.record;

import dev.caliber.kernel.config.AdapterType;
import dev.caliber.kernel.config.Catalogue;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.FieldType.Primitive;
import dev.caliber.kernel.config.InjectionMode.Word;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.memory.spi.Summary;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What configurations may speak of in this runtime: its kinds of records with their fields, the
 * columns that records have whatever their kind, and the storages that are built. A field is
 * declared with where its value comes from, so that none is promised that records do not have.
 */
public final class RecordKinds {
  private static final String CREATED = "created_at";
  private static final String UPDATED = "updated_at";
  private static final String SEQUENCE = "sequence";
  private static final String TRAJECTORY = "trajectory_id";
  private static final String SCOPE = "scope_id";
  private static final String CONTENT = "content";
  private static final String CONFIDENCE = "confidence";

  private static final List<RecordKind<?>> ALL =
      List.of(trajectory(), scope(), turn(), artifact(), note());

  private RecordKinds() {}

  public static Catalogue catalogue() {
    return new Catalogue(
        ALL.stream().collect(Collectors.toMap(RecordKind::name, RecordKind::types)),
        Map.of(
            CREATED, new FieldType.Plain(Primitive.TIMESTAMP),
            UPDATED, new FieldType.Plain(Primitive.TIMESTAMP),
            SEQUENCE, new FieldType.Plain(Primitive.INT)),
        Set.of("context"),
        Set.of(AdapterType.POSTGRES, AdapterType.SQLITE),
        RecordKinds::made,
        ALL.stream().collect(Collectors.toMap(RecordKind::name, RecordKind::modes)));
  }

  private static Optional<String> made(String memory, MemoryType type) {
    return Optional.of(MemoryKind.of(memory, type).name().toLowerCase(Locale.ROOT));
  }

  /**
   * The value that a record has in a field of the catalogue: an id, a text, a number or a time; in
   * any other field, what its metadata says: a text, a number or a flag. Empty where the record has
   * neither.
   */
  public static Optional<Object> read(Record record, String field) {
    return ALL.stream()
        .filter(kind -> kind.holds(record))
        .findFirst()
        .flatMap(kind -> kind.read(record, field));
  }

  private static RecordKind<Trajectory> trajectory() {
    return new RecordKind<>(Trajectory.TABLE, Trajectory.class)
        .shown(Word.FULL)
        .id(TRAJECTORY, Trajectory::id)
        .text("goal", Trajectory::goal)
        .oneOf("status", TrajectoryStatus.class, Trajectory::status)
        .labelled(Trajectory::labels)
        .time(CREATED, Trajectory::createdAt)
        .time(UPDATED, Trajectory::updatedAt);
  }

  private static RecordKind<Scope> scope() {
    return new RecordKind<>(Scope.TABLE, Scope.class)
        .shown(Word.values())
        .id(SCOPE, Scope::id)
        .id(TRAJECTORY, Scope::trajectory)
        .whole("sequence_number", Scope::sequence)
        .whole(SEQUENCE, Scope::sequence)
        .text("summary", scope -> Columns.text(scope.summary().map(Summary::text)))
        .time("opened_at", Scope::openedAt)
        .time("closed_at", scope -> Columns.instant(scope.closedAt()))
        .time(CREATED, Scope::openedAt)
        .time(UPDATED, scope -> scope.closedAt().orElse(scope.openedAt()));
  }

  private static RecordKind<Turn> turn() {
    return new RecordKind<>(Turn.TABLE, Turn.class)
        .shown(Word.values())
        .id("turn_id", Turn::id)
        .id(TRAJECTORY, Turn::trajectory)
        .id(SCOPE, Turn::scope)
        .whole(SEQUENCE, Turn::sequence)
        .oneOf("role", Role.class, Turn::role)
        .text(CONTENT, Turn::words)
        .whole("token_count", Turn::tokens)
        .text("model_id", turn -> Columns.text(turn.model()))
        .labelled(Turn::labels)
        .time(CREATED, Turn::createdAt)
        .time(UPDATED, Turn::createdAt);
  }

  private static RecordKind<Artifact> artifact() {
    return new RecordKind<>(Artifact.TABLE, Artifact.class)
        .shown(Word.FULL, Word.TOP_K, Word.RELEVANT)
        .id("artifact_id", Artifact::id)
        .id(TRAJECTORY, Artifact::trajectory)
        .id(SCOPE, Artifact::scope)
        .oneOf("artifact_type", ArtifactType.class, Artifact::type)
        .text(CONTENT, artifact -> Columns.text(artifact.content().text()))
        .real(CONFIDENCE, artifact -> artifact.provenance().confidence().orElse(null))
        .labelled(Artifact::labels)
        .time(CREATED, Artifact::createdAt)
        .time(UPDATED, Artifact::updatedAt);
  }

  private static RecordKind<Note> note() {
    return new RecordKind<>(Note.TABLE, Note.class)
        .shown(Word.FULL, Word.TOP_K, Word.RELEVANT)
        .id("note_id", Note::id)
        .text("entity", Note::entity)
        .text("entity_type", Note::entityType)
        .oneOf("note_type", NoteType.class, Note::type)
        .text(CONTENT, Note::content)
        .real(CONFIDENCE, Note::confidence)
        .time("valid_from", note -> Columns.instant(note.valid().from()))
        .time("valid_until", note -> Columns.instant(note.valid().until()))
        .labelled(Note::labels)
        .whole(SEQUENCE, Note::version)
        .time(CREATED, Note::createdAt)
        .time(UPDATED, Note::recordedAt);
  }
}
