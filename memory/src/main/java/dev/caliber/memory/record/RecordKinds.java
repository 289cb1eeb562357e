package dev.caliber.memory.record;

import dev.caliber.kernel.config.AdapterType;
import dev.caliber.kernel.config.Catalogue;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.FieldType.PrimitiveType;
import dev.caliber.kernel.config.InjectionMode.InjectionModeName;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.memory.spi.Summary;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Catalogue of what configurations may refer to in this runtime: kinds of records with their
 * fields, the columns that all records have, and the available storages. Each field is declared
 * with the function that reads it, so that no field exists without a value.
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
        ALL.stream().collect(Collectors.toMap(RecordKind::name, RecordKind::fieldTypes)),
        Map.of(
            CREATED, new FieldType.PlainFieldType(PrimitiveType.TIMESTAMP),
            UPDATED, new FieldType.PlainFieldType(PrimitiveType.TIMESTAMP),
            SEQUENCE, new FieldType.PlainFieldType(PrimitiveType.INT)),
        Set.of("context"),
        Set.of(AdapterType.POSTGRES, AdapterType.SQLITE),
        RecordKinds::storageKind,
        ALL.stream().collect(Collectors.toMap(RecordKind::name, RecordKind::modes)));
  }

  private static Optional<String> storageKind(String memory, MemoryType type) {
    return Optional.of(MemoryKind.of(memory, type).name().toLowerCase(Locale.ROOT));
  }

  /**
   * Returns the value of a catalogue field: an id, a text, a number or a time; for any other name
   * the metadata value: a text, a number or a flag. Empty if the record has neither.
   */
  public static Optional<Object> fieldValue(Record record, String field) {
    return ALL.stream()
        .filter(kind -> kind.isKindOf(record))
        .findFirst()
        .flatMap(kind -> kind.read(record, field));
  }

  private static RecordKind<Trajectory> trajectory() {
    return new RecordKind<>(Trajectory.TABLE, Trajectory.class)
        .withModes(InjectionModeName.FULL)
        .id(TRAJECTORY, Trajectory::id)
        .text("goal", Trajectory::goal)
        .enumConstant("status", TrajectoryStatus.class, Trajectory::status)
        .withLabels(Trajectory::labels)
        .time(CREATED, Trajectory::createdAt)
        .time(UPDATED, Trajectory::updatedAt);
  }

  private static RecordKind<Scope> scope() {
    return new RecordKind<>(Scope.TABLE, Scope.class)
        .withModes(InjectionModeName.values())
        .id(SCOPE, Scope::id)
        .id(TRAJECTORY, Scope::trajectory)
        .integer("sequence_number", Scope::sequence)
        .integer(SEQUENCE, Scope::sequence)
        .text("summary", scope -> NullableColumns.textOrNull(scope.summary().map(Summary::text)))
        .time("opened_at", Scope::openedAt)
        .time("closed_at", scope -> NullableColumns.instantOrNull(scope.closedAt()))
        .time(CREATED, Scope::openedAt)
        .time(UPDATED, scope -> scope.closedAt().orElse(scope.openedAt()));
  }

  private static RecordKind<Turn> turn() {
    return new RecordKind<>(Turn.TABLE, Turn.class)
        .withModes(InjectionModeName.values())
        .id("turn_id", Turn::id)
        .id(TRAJECTORY, Turn::trajectory)
        .id(SCOPE, Turn::scope)
        .integer(SEQUENCE, Turn::sequence)
        .enumConstant("role", TurnRole.class, Turn::role)
        .text(CONTENT, Turn::searchableText)
        .integer("token_count", Turn::tokens)
        .text("model_id", turn -> NullableColumns.textOrNull(turn.model()))
        .withLabels(Turn::labels)
        .time(CREATED, Turn::createdAt)
        .time(UPDATED, Turn::createdAt);
  }

  private static RecordKind<Artifact> artifact() {
    return new RecordKind<>(Artifact.TABLE, Artifact.class)
        .withModes(InjectionModeName.FULL, InjectionModeName.TOP_K, InjectionModeName.RELEVANT)
        .id("artifact_id", Artifact::id)
        .id(TRAJECTORY, Artifact::trajectory)
        .id(SCOPE, Artifact::scope)
        .enumConstant("artifact_type", ArtifactType.class, Artifact::type)
        .text(CONTENT, artifact -> NullableColumns.textOrNull(artifact.content().text()))
        .real(CONFIDENCE, artifact -> artifact.provenance().confidence().orElse(null))
        .withLabels(Artifact::labels)
        .time(CREATED, Artifact::createdAt)
        .time(UPDATED, Artifact::updatedAt);
  }

  private static RecordKind<Note> note() {
    return new RecordKind<>(Note.TABLE, Note.class)
        .withModes(InjectionModeName.FULL, InjectionModeName.TOP_K, InjectionModeName.RELEVANT)
        .id("note_id", Note::id)
        .text("entity", Note::entity)
        .text("entity_type", Note::entityType)
        .enumConstant("note_type", NoteType.class, Note::type)
        .text(CONTENT, Note::content)
        .real(CONFIDENCE, Note::confidence)
        .time("valid_from", note -> NullableColumns.instantOrNull(note.valid().from()))
        .time("valid_until", note -> NullableColumns.instantOrNull(note.valid().until()))
        .withLabels(Note::labels)
        .integer(SEQUENCE, Note::version)
        .time(CREATED, Note::createdAt)
        .time(UPDATED, Note::recordedAt);
  }
}
