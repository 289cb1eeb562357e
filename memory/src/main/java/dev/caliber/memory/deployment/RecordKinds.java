package dev.caliber.memory.deployment;

import static java.util.Map.entry;

import dev.caliber.kernel.config.AdapterType;
import dev.caliber.kernel.config.Catalogue;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.FieldType.Primitive;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What configurations may speak of in this runtime: its kinds of records with their fields, the
 * columns that all of them have, and the storages that are built.
 */
public final class RecordKinds {
  private static final FieldType UUID = plain(Primitive.UUID);
  private static final FieldType TEXT = plain(Primitive.TEXT);
  private static final FieldType INT = plain(Primitive.INT);
  private static final FieldType FLOAT = plain(Primitive.FLOAT);
  private static final FieldType TIMESTAMP = plain(Primitive.TIMESTAMP);

  private RecordKinds() {}

  public static Catalogue catalogue() {
    return new Catalogue(
        Map.of(
            "trajectory", trajectory(),
            "scope", scope(),
            "turn", turn(),
            "artifact", artifact(),
            "note", note()),
        Map.of("created_at", TIMESTAMP, "updated_at", TIMESTAMP, "sequence", INT),
        Set.of("context"),
        Set.of(AdapterType.POSTGRES, AdapterType.SQLITE));
  }

  private static Map<String, FieldType> trajectory() {
    return Map.of(
        "trajectory_id", UUID,
        "goal", TEXT,
        "subject", TEXT,
        "status", oneOf("active", "completed", "failed", "suspended"));
  }

  private static Map<String, FieldType> scope() {
    return Map.of(
        "scope_id", UUID,
        "trajectory_id", UUID,
        "sequence_number", INT,
        "summary", TEXT,
        "opened_at", TIMESTAMP,
        "closed_at", TIMESTAMP);
  }

  private static Map<String, FieldType> turn() {
    return Map.of(
        "turn_id", UUID,
        "scope_id", UUID,
        "role", oneOf("user", "assistant", "system", "tool"),
        "content", TEXT,
        "subject", TEXT,
        "token_count", INT,
        "model_id", TEXT);
  }

  private static Map<String, FieldType> artifact() {
    return Map.of(
        "artifact_id", UUID,
        "trajectory_id", UUID,
        "scope_id", UUID,
        "artifact_type", TEXT,
        "subject", TEXT,
        "confidence", FLOAT);
  }

  private static Map<String, FieldType> note() {
    return Map.ofEntries(
        entry("note_id", UUID),
        entry("entity", TEXT),
        entry("entity_type", TEXT),
        entry("note_type", TEXT),
        entry("content", TEXT),
        entry("subject", TEXT),
        entry("confidence", FLOAT),
        entry("valid_from", TIMESTAMP),
        entry("valid_until", TIMESTAMP));
  }

  private static FieldType plain(Primitive primitive) {
    return new FieldType.Plain(primitive);
  }

  private static FieldType oneOf(String... values) {
    return new FieldType.Enumeration(List.of(values));
  }
}
