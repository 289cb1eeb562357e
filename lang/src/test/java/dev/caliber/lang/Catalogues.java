package dev.caliber.lang;

import static java.util.Map.entry;

import dev.caliber.kernel.config.AdapterType;
import dev.caliber.kernel.config.Catalogue;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.FieldType.PrimitiveType;
import dev.caliber.kernel.config.InjectionMode.InjectionModeName;
import dev.caliber.kernel.config.MemoryType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Catalogues as modules would provide them. */
public final class Catalogues {
  private static final FieldType UUID = new FieldType.PlainFieldType(PrimitiveType.UUID);
  private static final FieldType TEXT = new FieldType.PlainFieldType(PrimitiveType.TEXT);
  private static final FieldType INT = new FieldType.PlainFieldType(PrimitiveType.INT);
  private static final FieldType TIMESTAMP = new FieldType.PlainFieldType(PrimitiveType.TIMESTAMP);

  private static final Map<String, FieldType> BUILT_INS =
      Map.of("created_at", TIMESTAMP, "updated_at", TIMESTAMP, "sequence", INT);

  private Catalogues() {}

  /** Returns a catalogue with two storages, as in the product. */
  public static Catalogue product() {
    return with(Set.of(AdapterType.POSTGRES, AdapterType.SQLITE));
  }

  /** Returns a catalogue with a third storage, so that the example of the language compiles. */
  static Catalogue withRedis() {
    return with(Set.of(AdapterType.POSTGRES, AdapterType.SQLITE, AdapterType.REDIS));
  }

  private static Catalogue with(Set<AdapterType> adapters) {
    return new Catalogue(
        Map.ofEntries(
            entry(
                "trajectory",
                with(
                    Map.of(
                        "trajectory_id",
                        UUID,
                        "status",
                        new FieldType.EnumerationFieldType(
                            List.of("active", "completed", "failed", "suspended"))),
                    "created_at",
                    "updated_at")),
            entry(
                "scope",
                with(
                    Map.of("scope_id", UUID, "sequence_number", INT, "summary", TEXT),
                    "created_at",
                    "updated_at",
                    "sequence")),
            entry(
                "artifact",
                with(
                    Map.of("artifact_id", UUID, "artifact_type", TEXT),
                    "created_at",
                    "updated_at")),
            entry(
                "note",
                with(
                    Map.of("note_id", UUID, "note_type", TEXT, "valid_until", TIMESTAMP),
                    "created_at",
                    "updated_at",
                    "sequence"))),
        BUILT_INS,
        Set.of("context"),
        adapters,
        Catalogues::made,
        Map.of(
            "trajectory",
            Set.of(InjectionModeName.FULL),
            "scope",
            Set.of(InjectionModeName.values()),
            "artifact",
            Set.of(InjectionModeName.FULL, InjectionModeName.TOP_K, InjectionModeName.RELEVANT),
            "note",
            Set.of(InjectionModeName.FULL, InjectionModeName.TOP_K, InjectionModeName.RELEVANT)));
  }

  private static Optional<String> made(String memory, MemoryType type) {
    return Stream.of("trajectory", "scope", "artifact", "note")
        .filter(memory::startsWith)
        .findFirst()
        .or(
            () ->
                switch (type) {
                  case EPHEMERAL -> Optional.empty();
                  case WORKING -> Optional.of("scope");
                  case EPISODIC -> Optional.of("artifact");
                  case SEMANTIC, PROCEDURAL, META -> Optional.of("note");
                });
  }

  /** Returns the fields of a kind with the columns that it shares with others. */
  private static Map<String, FieldType> with(Map<String, FieldType> own, String... builtIns) {
    var all = new TreeMap<>(own);
    Stream.of(builtIns).forEach(name -> all.put(name, Objects.requireNonNull(BUILT_INS.get(name))));
    return all;
  }
}
