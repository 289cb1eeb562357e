package dev.caliber.lang;

import static java.util.Map.entry;

import dev.caliber.kernel.config.AdapterType;
import dev.caliber.kernel.config.Catalogue;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.FieldType.Primitive;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Catalogues as rooms would give them. */
public final class Catalogues {
  private static final FieldType UUID = new FieldType.Plain(Primitive.UUID);
  private static final FieldType TEXT = new FieldType.Plain(Primitive.TEXT);
  private static final FieldType INT = new FieldType.Plain(Primitive.INT);
  private static final FieldType TIMESTAMP = new FieldType.Plain(Primitive.TIMESTAMP);

  private Catalogues() {}

  /** Two storages are built, as in the product. */
  public static Catalogue product() {
    return with(Set.of(AdapterType.POSTGRES, AdapterType.SQLITE));
  }

  /** A third one is, so that the example of the language compiles. */
  static Catalogue withRedis() {
    return with(Set.of(AdapterType.POSTGRES, AdapterType.SQLITE, AdapterType.REDIS));
  }

  private static Catalogue with(Set<AdapterType> adapters) {
    return new Catalogue(
        Map.ofEntries(
            entry(
                "trajectory",
                Map.of(
                    "trajectory_id",
                    UUID,
                    "status",
                    new FieldType.Enumeration(
                        List.of("active", "completed", "failed", "suspended")))),
            entry("scope", Map.of("scope_id", UUID, "sequence_number", INT, "summary", TEXT)),
            entry("artifact", Map.of("artifact_id", UUID, "artifact_type", TEXT)),
            entry("note", Map.of("note_id", UUID, "note_type", TEXT, "valid_until", TIMESTAMP))),
        Map.of("created_at", TIMESTAMP, "updated_at", TIMESTAMP, "sequence", INT),
        Set.of("context"),
        adapters);
  }
}
