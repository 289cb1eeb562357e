package dev.caliber.memory.context;

import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The fields of records by the names that configurations use. Text is a string, numbers are
 * numbers, times are instants, ids are text; a field of the caller's own is looked up in the
 * metadata.
 */
final class Fields {
  private Fields() {}

  static @Nullable Object of(Record record, String field) {
    return switch (record) {
      case Note note -> note(note, field);
      case Turn turn -> turn(turn, field);
      case Artifact artifact -> artifact(artifact, field);
      case Scope scope -> scope(scope, field);
      case Trajectory trajectory -> trajectory(trajectory, field);
      default -> null;
    };
  }

  private static @Nullable Object note(Note note, String field) {
    return switch (field) {
      case "note_id" -> note.id().toString();
      case "entity" -> note.entity();
      case "entity_type" -> note.entityType();
      case "note_type" -> word(note.type());
      case "content" -> note.content();
      case "confidence" -> note.confidence();
      case "valid_from" -> note.valid().from().orElse(null);
      case "valid_until" -> note.valid().until().orElse(null);
      case "created_at" -> note.createdAt();
      case "updated_at" -> note.recordedAt();
      case "sequence" -> note.version();
      default -> label(note.labels(), field);
    };
  }

  private static @Nullable Object turn(Turn turn, String field) {
    return switch (field) {
      case "turn_id" -> turn.id().toString();
      case "trajectory_id" -> turn.trajectory().toString();
      case "scope_id" -> turn.scope().toString();
      case "role" -> word(turn.role());
      case "content" -> turn.words();
      case "token_count" -> turn.tokens();
      case "model_id" -> turn.model().orElse(null);
      case "created_at", "updated_at" -> turn.createdAt();
      case "sequence" -> turn.position();
      default -> label(turn.labels(), field);
    };
  }

  private static @Nullable Object artifact(Artifact artifact, String field) {
    return switch (field) {
      case "artifact_id" -> artifact.id().toString();
      case "trajectory_id" -> artifact.trajectory().toString();
      case "scope_id" -> artifact.scope().toString();
      case "artifact_type" -> word(artifact.type());
      case "confidence" -> artifact.provenance().confidence().orElse(null);
      case "created_at" -> artifact.createdAt();
      case "updated_at" -> artifact.updatedAt();
      case "sequence" -> artifact.schemaVersion();
      default -> label(artifact.labels(), field);
    };
  }

  private static @Nullable Object scope(Scope scope, String field) {
    return switch (field) {
      case "scope_id" -> scope.id().toString();
      case "trajectory_id" -> scope.trajectory().toString();
      case "sequence_number", "sequence" -> scope.sequence();
      case "summary" -> scope.summary().map(summary -> summary.text()).orElse(null);
      case "opened_at", "created_at" -> scope.openedAt();
      case "closed_at" -> scope.closedAt().orElse(null);
      case "updated_at" -> scope.closedAt().orElse(scope.openedAt());
      default -> null;
    };
  }

  private static @Nullable Object trajectory(Trajectory trajectory, String field) {
    return switch (field) {
      case "trajectory_id" -> trajectory.id().toString();
      case "goal" -> trajectory.goal();
      case "status" -> word(trajectory.status());
      case "created_at" -> trajectory.createdAt();
      case "updated_at" -> trajectory.updatedAt();
      default -> label(trajectory.labels(), field);
    };
  }

  private static @Nullable Object label(Labels labels, String field) {
    return switch (field) {
      case "subject" -> labels.subject().orElse(null);
      case "external_id" -> labels.externalId().orElse(null);
      default -> labels.metadata().get(field);
    };
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
