package dev.caliber.memory.context.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.ContextFixture;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.RecordKinds;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.testkit.EachEngine;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters on every field of every kind of record. */
@EachEngine
class FilterContract extends ContextFixture {
  private static final InjectionMode FULL = new InjectionMode.FullInjection();
  private static final Labels LABELS = Labels.ofSubject("alice").withExternalId("x-1");

  static Stream<Arguments> fields() {
    return RecordKinds.catalogue().kinds().entrySet().stream()
        .flatMap(
            kind ->
                kind.getValue().keySet().stream().map(field -> Arguments.of(kind.getKey(), field)));
  }

  @ParameterizedTest(name = "{1} of {0}")
  @MethodSource("fields")
  @DisplayName("CTX-19, DSL-15: every field that a filter may name finds the record that has it")
  void everyField(String kind, String field) {
    Task task = task();
    Record wanted = Objects.requireNonNull(task.records().get(kind));
    FieldType type = RecordKinds.catalogue().field(kind, field).orElseThrow();
    FilterValue value = value(type, RecordKinds.fieldValue(wanted, field).orElseThrow());
    deployOne(kind, field, ComparisonOperator.EQUAL, value);
    assertThat(offered(task, kind)).contains(id(wanted));
    deployOne(kind, field, ComparisonOperator.NOT_EQUAL, value);
    assertThat(offered(task, kind)).doesNotContain(id(wanted));
  }

  private record Task(Trajectory trajectory, Map<String, Record> records) {}

  /** Returns a task with a record of each kind that has a value in every field. */
  private Task task() {
    Trajectory task =
        memory.run(
            SPACE,
            StartTrajectory.of("Mend the build", EntityRef.agent("planner")).withLabels(LABELS));
    Scope first = scopeOf(task);
    say(first, "The build is broken because of a missing file.");
    memory.run(SPACE, CloseScope.of(first.id()));
    Scope scope = memory.run(SPACE, new OpenScope(task.id()));
    say(scope, "What came before it");
    Record turn = say(scope, NewTurn.assistant("Hello").withModel("model", 7).withLabels(LABELS));
    Record note = note(LABELS);
    Record artifact = artifact(scope);
    return new Task(
        task,
        Map.of(
            "trajectory",
            memory.<Trajectory>view(SPACE, view -> view.trajectory(task.id())),
            "scope",
            memory.<Scope>view(SPACE, view -> view.scope(first.id())),
            "turn",
            turn,
            "artifact",
            artifact,
            "note",
            note));
  }

  private Note note(Labels labels) {
    clock.advance(Duration.ofSeconds(1));
    Instant now = clock.instant();
    return memory.run(
        SPACE,
        WriteNote.of("alice", "person", NoteType.GOTCHA, "Never on Fridays")
            .withConfidence(0.75)
            .withValidity(TimeRange.between(now.minusSeconds(9), now.plusSeconds(3600)))
            .withLabels(labels));
  }

  private Record artifact(Scope scope) {
    Provenance judged =
        new Provenance(Optional.empty(), ExtractionMethod.INFERRED, Optional.of(0.5), List.of());
    return memory
        .run(
            SPACE,
            CreateArtifacts.of(
                NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("grammar 1.0"))
                    .withProvenance(judged)
                    .withLabels(LABELS)))
        .getFirst();
  }

  private static Id id(Record record) {
    return Stream.of("trajectory_id", "scope_id", "turn_id", "artifact_id", "note_id")
        .flatMap(field -> RecordKinds.fieldValue(record, field).stream())
        .map(Id.class::cast)
        .reduce((_, last) -> last)
        .orElseThrow();
  }

  private static FilterValue value(FieldType type, Object found) {
    return switch (type) {
      case FieldType.EnumerationFieldType _ ->
          new FilterValue.EnumerationFilterValue((String) found);
      case FieldType.PlainFieldType(var primitiveType) ->
          switch (primitiveType) {
            case UUID -> new FilterValue.IdFilterValue((Id) found);
            case TEXT, JSON -> new FilterValue.TextFilterValue((String) found);
            case INT, FLOAT -> new FilterValue.NumericFilterValue(new BigDecimal(found.toString()));
            case BOOL -> new FilterValue.BooleanFilterValue((Boolean) found);
            case TIMESTAMP -> new FilterValue.TimestampFilterValue((Instant) found);
            case EMBEDDING -> throw new AssertionError("no filter compares vectors");
          };
    };
  }

  private void deployOne(
      String kind, String field, ComparisonOperator comparisonOperator, FilterValue value) {
    deployed =
        Optional.of(
            new CompiledConfig(
                "1.0",
                List.of(memory(kind, MemoryType.SEMANTIC)),
                List.of(),
                List.of(filtered(kind, FULL, compare(field, comparisonOperator, value))),
                List.of()));
  }

  private List<Id> offered(Task task, String section) {
    return assemble(task.trajectory()).window().ledger().stream()
        .map(LedgerLine::candidate)
        .filter(candidate -> candidate.section().equals(section))
        .map(Candidate::id)
        .toList();
  }

  @Test
  @DisplayName("CTX-19: a field of one's own is compared as the time or the id that it is")
  void fieldsOfOnesOwn() {
    Trajectory task = start();
    Id other = Id.derivedFrom("test", "other");
    Note note =
        note(
            Labels.none()
                .withMetadata("deadline", "2026-01-01T10:00:00+02:00")
                .withMetadata("task", task.id().toString())
                .withMetadata("kin", other.toUuid().toString())
                .withMetadata("vague", "soon"));
    Instant deadline = Instant.parse("2026-01-01T08:00:00Z");
    Map<String, FilterValue> held =
        Map.of(
            "deadline",
            new FilterValue.TimestampFilterValue(deadline),
            "task",
            new FilterValue.CurrentTrajectoryFilterValue(),
            "kin",
            new FilterValue.IdFilterValue(other));
    held.forEach(
        (field, value) -> {
          deploy(filtered("notes", FULL, compare(field, ComparisonOperator.EQUAL, value)));
          assertThat(offers(assemble(task), note.id())).as(field).isTrue();
          deploy(filtered("notes", FULL, compare(field, ComparisonOperator.NOT_EQUAL, value)));
          assertThat(offers(assemble(task), note.id())).as(field).isFalse();
        });
    for (ComparisonOperator comparisonOperator :
        List.of(ComparisonOperator.LESS, ComparisonOperator.AT_LEAST)) {
      deploy(
          filtered(
              "notes",
              FULL,
              compare("vague", comparisonOperator, new FilterValue.RequestTimeFilterValue())));
      assertThat(offers(assemble(task), note.id())).as("%s", comparisonOperator).isFalse();
    }
  }
}
