package dev.caliber.memory.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.Catalogue;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.FieldType.PrimitiveType;
import dev.caliber.kernel.config.InjectionMode.InjectionModeName;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.memory.Memory;
import dev.caliber.memory.spi.Summary;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordKindsTest {
  private static final Instant EARLY = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant LATE = Instant.parse("2026-02-01T00:00:00Z");
  private static final Id ID = Id.derivedFrom("test", "id");
  private static final Id TRAJECTORY = Id.derivedFrom("test", "trajectory");
  private static final Id SCOPE = Id.derivedFrom("test", "scope");
  private static final Labels LABELS = Labels.ofSubject("alice").withExternalId("x-1");

  /** Returns a record of each kind with a value in every field. */
  static Map<String, Record> filled() {
    return Map.of(
        "trajectory",
        new Trajectory(
            TRAJECTORY,
            "Mend the build",
            "hash",
            TrajectoryStatus.SUSPENDED,
            EntityRef.agent("planner"),
            List.of(),
            Optional.empty(),
            TurnTotals.ZERO,
            Optional.empty(),
            Optional.empty(),
            LABELS,
            EARLY,
            LATE,
            Optional.empty()),
        "scope",
        new Scope(
            SCOPE,
            TRAJECTORY,
            3,
            0,
            Optional.of(2),
            EARLY,
            Optional.of(LATE),
            Optional.of(
                new Summary("extractive", List.of(new Summary.SummarySentence("Done.", ID)))),
            List.of(),
            Optional.empty(),
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.of("alice")),
        "turn",
        new Turn(
            ID,
            TRAJECTORY,
            SCOPE,
            4,
            new TurnTotals(10, 50, 7),
            TurnRole.ASSISTANT,
            List.of(TurnPart.text("Hello")),
            7,
            Optional.of("model"),
            LABELS,
            EARLY,
            Optional.empty(),
            Optional.empty()),
        "artifact",
        new Artifact(
            ID,
            TRAJECTORY,
            SCOPE,
            ArtifactType.CODE_PATCH,
            1,
            Bytes.of("diff"),
            "hash",
            Provenance.of(ExtractionMethod.EXPLICIT).mergedWith(judged(0.5)),
            Ttl.persistent(),
            Optional.empty(),
            Optional.empty(),
            LABELS,
            EARLY,
            LATE,
            Optional.empty(),
            Optional.empty(),
            Optional.empty()),
        "note",
        new Note(
            ID,
            2,
            "alice",
            "person",
            NoteType.GOTCHA,
            "Never on Fridays",
            0.75,
            TimeRange.between(EARLY, LATE),
            List.of(),
            List.of(),
            Optional.empty(),
            List.of(),
            LABELS,
            EARLY,
            LATE,
            Optional.empty()));
  }

  private static Provenance judged(double confidence) {
    return new Provenance(
        Optional.empty(), ExtractionMethod.INFERRED, Optional.of(confidence), List.of());
  }

  static Set<String> kinds() {
    return RecordKinds.catalogue().kinds().keySet();
  }

  @Test
  @DisplayName("DSL-15: the kinds that filters may refer to are tables of memory")
  void kindsAreTables() {
    assertThat(kinds()).containsExactlyInAnyOrderElementsOf(filled().keySet());
    assertThat(Memory.tables().stream().map(table -> table.name())).containsAll(kinds());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  @DisplayName("DSL-15: every field that filters may name has a value of its type in real records")
  void everyFieldIsThere(String kind) {
    types(kind)
        .forEach(
            (field, type) ->
                assertThat(RecordKinds.fieldValue(filled(kind), field))
                    .as("%s of %s", field, kind)
                    .hasValueSatisfying(value -> assertThat(fits(type, value)).isTrue()));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  @DisplayName("DSL-15: a column that every record has means the same in each kind that has it")
  void builtInsAgree(String kind) {
    var builtIns = RecordKinds.catalogue().builtIns();
    var ownTypes = new TreeMap<>(types(kind));
    ownTypes.keySet().retainAll(builtIns.keySet());
    assertThat(ownTypes).containsKeys("created_at", "updated_at");
    assertThat(builtIns).containsAllEntriesOf(ownTypes);
  }

  @Test
  @DisplayName("DSL-15: fields return the values of the record, under the language's names")
  void fieldsSayWhatTheRecordSays() {
    assertThat(read("trajectory", "status")).isEqualTo("suspended");
    assertThat(read("scope", "sequence_number")).isEqualTo(3);
    assertThat(read("scope", "summary")).isEqualTo("Done.");
    assertThat(read("turn", "scope_id")).isEqualTo(SCOPE);
    assertThat(read("turn", "sequence")).isEqualTo(4);
    assertThat(read("turn", "token_count")).isEqualTo(7);
    assertThat(read("artifact", "artifact_type")).isEqualTo("code_patch");
    assertThat(read("artifact", "confidence")).isEqualTo(0.5);
    assertThat(read("note", "note_type")).isEqualTo("gotcha");
    assertThat(read("note", "valid_until")).isEqualTo(LATE);
    assertThat(read("note", "updated_at")).isEqualTo(LATE);
    assertThat(RecordKinds.fieldValue(filled("note"), "goal")).isEmpty();
    assertThat(RecordKinds.fieldValue(LABELS, "subject")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  @DisplayName("CTX-18: every kind declares its injection modes, and full is one of them")
  void everyKindHasModes(String kind) {
    assertThat(RecordKinds.catalogue().modes(kind).orElseThrow()).contains(InjectionModeName.FULL);
  }

  @Test
  @DisplayName("DSL-15: the compiler knows the records of memories and their missing fields")
  void whatMemoriesAreMadeOf() {
    Catalogue catalogue = RecordKinds.catalogue();
    assertThat(catalogue.memoryKinds().kindOf("turn_buffer", MemoryType.META)).contains("turn");
    assertThat(catalogue.memoryKinds().kindOf("drafts", MemoryType.EPISODIC)).contains("artifact");
    assertThat(catalogue.modes("note").orElseThrow()).doesNotContain(InjectionModeName.SUMMARY);
    assertThat(catalogue.modes("scope").orElseThrow())
        .contains(InjectionModeName.SUMMARY, InjectionModeName.RELEVANT);
    assertThat(catalogue.modes("trajectory").orElseThrow()).containsExactly(InjectionModeName.FULL);
    assertThat(catalogue.isMissingColumn("artifact", "sequence")).isTrue();
    assertThat(catalogue.isMissingColumn("turn", "sequence")).isFalse();
    assertThat(catalogue.isMissingColumn("artifact", "nothing")).isFalse();
  }

  private static Object read(String kind, String field) {
    return RecordKinds.fieldValue(filled(kind), field).orElseThrow();
  }

  private static Record filled(String kind) {
    return Objects.requireNonNull(filled().get(kind));
  }

  private static Map<String, FieldType> types(String kind) {
    return Objects.requireNonNull(RecordKinds.catalogue().kinds().get(kind));
  }

  private static boolean fits(FieldType type, Object value) {
    return switch (type) {
      case FieldType.EnumerationFieldType(var words) -> words.contains(value);
      case FieldType.PlainFieldType(var primitiveType) -> javaType(primitiveType).isInstance(value);
    };
  }

  private static Class<?> javaType(PrimitiveType primitiveType) {
    return switch (primitiveType) {
      case UUID -> Id.class;
      case TEXT, JSON -> String.class;
      case INT -> Integer.class;
      case FLOAT -> Double.class;
      case BOOL -> Boolean.class;
      case TIMESTAMP -> Instant.class;
      case EMBEDDING -> float[].class;
    };
  }
}
