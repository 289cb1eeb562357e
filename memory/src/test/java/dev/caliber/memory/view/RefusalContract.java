package dev.caliber.memory.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.memory.MemoryFixture;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.SuspendOrResumeTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Refusals of invalid input, which write nothing, on every engine. */
@EachEngine
class RefusalContract extends MemoryFixture {
  private static final String HALF = "\uD800";
  private static final NewTurn USER = NewTurn.user("x");

  @Test
  @DisplayName("ERR-04: an id that is not there is refused by every command")
  void unknownIds() {
    NewArtifact artifact = NewArtifact.of(unknown(), ArtifactType.FACT, Bytes.of("x"));
    WriteNote note = WriteNote.of("a", "b", NoteType.FACT, "c");
    List<Command<?>> commands =
        List.of(
            SuspendOrResumeTrajectory.suspend(unknown()),
            SuspendOrResumeTrajectory.resume(unknown()),
            EndTrajectory.complete(unknown(), ""),
            new OpenScope(unknown()),
            CloseScope.of(unknown()),
            AppendTurns.of(unknown(), NewTurn.user("x")),
            CreateArtifacts.of(artifact),
            new SupersedeArtifact(unknown(), artifact),
            note.withSource(unknown()),
            new SupersedeNote(unknown(), note),
            new EndNote(unknown(), clock.instant()),
            new ConsolidateTrajectory(unknown()),
            SaveCheckpoint.of(unknown()),
            RollBackTrajectory.toLatestCheckpoint(unknown()),
            RunPolicy.forTrajectory(unknown(), "unheard-of", "k"),
            StartTrajectory.of("x", PLANNER).withParent(unknown()),
            ForgetRecords.of(unknown()));
    for (Command<?> command : commands) {
      refuses(MemoryErrorCode.UNKNOWN_RECORD, () -> run(command));
    }
  }

  @Test
  @DisplayName("LIF-09, LIF-11: a closed scope and an ended trajectory accept nothing more")
  void closedAndEnded() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    Artifact kept = make(scope, "in time");
    run(CloseScope.of(scope.id()));
    refuses(MemoryErrorCode.SCOPE_CLOSED, () -> say(scope, "too late"));
    for (Command<?> late : tooLate(scope, kept)) {
      refuses(MemoryErrorCode.SCOPE_CLOSED, () -> run(late));
    }
    refuses(
        MemoryErrorCode.SCOPE_CLOSED, () -> run(SaveCheckpoint.of(trajectory.id(), scope.id())));
    run(SaveCheckpoint.of(trajectory.id()));
    run(EndTrajectory.complete(trajectory.id(), ""));
    refuses(MemoryErrorCode.SCOPE_CLOSED, () -> say(scope, "too late"));
    refuses(MemoryErrorCode.TRAJECTORY_ENDED, () -> run(new OpenScope(trajectory.id())));
    for (Command<?> late : tooLate(scope, kept)) {
      refuses(MemoryErrorCode.TRAJECTORY_ENDED, () -> run(late));
    }
    refuses(MemoryErrorCode.TRAJECTORY_ENDED, () -> run(SaveCheckpoint.of(trajectory.id())));
    refuses(
        MemoryErrorCode.TRAJECTORY_ENDED,
        () -> run(SaveCheckpoint.of(trajectory.id(), scope.id())));
  }

  /** Returns commands after a close; an artifact bound to the closed scope would never expire. */
  private static List<Command<?>> tooLate(Scope scope, Artifact kept) {
    NewArtifact late =
        NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("too late"))
            .withTtl(new Ttl.ScopeTtl());
    NewArtifact again = NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("in time"));
    return List.of(
        CreateArtifacts.of(late),
        CreateArtifacts.of(again, late),
        new SupersedeArtifact(kept.id(), late));
  }

  @Test
  @DisplayName("LIF-11: an existing artifact of a closed scope is returned, and nothing is written")
  void whatIsThereIsAnswered() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    Artifact kept = make(scope, "in time");
    run(EndTrajectory.complete(trajectory.id(), ""));
    Map<String, String> before = everything();
    assertThat(make(scope, "in time")).isEqualTo(kept);
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  @DisplayName(
      "LIF-11: an existing artifact with a duration is returned too; only a longer one is refused")
  void whatLivesForATimeIsAnswered() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    NewArtifact wish =
        NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("for an hour"))
            .withTtl(Ttl.of(Duration.ofHours(1)));
    Artifact kept = run(CreateArtifacts.of(wish)).getFirst();
    run(CloseScope.of(scope.id()));
    clock.advance(Duration.ofMinutes(1));
    Map<String, String> before = everything();
    assertThat(run(CreateArtifacts.of(wish))).containsExactly(kept);
    assertThat(everything()).isEqualTo(before);
    NewArtifact longer = wish.withTtl(Ttl.of(Duration.ofHours(2)));
    refuses(MemoryErrorCode.SCOPE_CLOSED, () -> run(CreateArtifacts.of(longer)));
  }

  @Test
  @DisplayName("ERR-04: empty text is refused")
  void emptyContent() {
    Scope scope = scopeOf(start());
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> run(StartTrajectory.of(" ", PLANNER)));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> say(scope, ""));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> run(new AppendTurns(scope.id(), List.of())));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> NewTurn.of(TurnRole.USER));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> make(scope, ""));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> learn("\n"));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> memory.remember(SPACE, NewNote.of("")));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> RecallQuery.of("", 1));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> Labels.ofSubject(""));
  }

  @Test
  @DisplayName("ERR-04: content over a limit is refused, never cut")
  void contentOverTheLimit() {
    MemoryConfig.MemoryLimits memoryLimits = MemoryConfig.starter().limits();
    Scope scope = scopeOf(start());
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () -> say(scope, "x".repeat((int) memoryLimits.turn().bytes() + 1)));
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () -> make(scope, "x".repeat((int) memoryLimits.artifact().bytes() + 1)));
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () -> learn("ä".repeat((int) memoryLimits.note().bytes() / 2 + 1)));
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () -> run(StartTrajectory.of("x".repeat((int) memoryLimits.text().bytes() + 1), PLANNER)));
    String name = "x".repeat((int) memoryLimits.text().bytes() + 1);
    List<Command<?>> named =
        List.of(
            StartTrajectory.of("x", EntityRef.agent(name)),
            StartTrajectory.of("x", PLANNER).withTags(name),
            StartTrajectory.of("x", PLANNER).withLabels(Labels.ofExternalId(name)),
            AppendTurns.of(scope.id(), USER.withModel(name, 1)),
            AppendTurns.of(
                scope.id(),
                NewTurn.of(TurnRole.ASSISTANT, new TurnPart.ToolCallPart(name, "t", ""))),
            AppendTurns.of(scope.id(), USER.withLabels(Labels.none().withMetadata("k", name))),
            WriteNote.of(name, "b", NoteType.FACT, "c"),
            new ForgetRecords(Optional.of(scope.id()), Optional.empty(), false, name));
    for (Command<?> command : named) {
      refuses(KernelErrorCode.LIMIT_EXCEEDED, () -> run(command));
    }
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () ->
            run(
                new AppendTurns(
                    scope.id(),
                    java.util.Collections.nCopies(memoryLimits.batch() + 1, NewTurn.user("x")))));
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () ->
            memory.recall(
                SPACE, RecallQuery.of("x", MemoryConfig.starter().recall().maxLimit() + 1)));
    refuses(KernelErrorCode.LIMIT_EXCEEDED, () -> memory.recall(SPACE, RecallQuery.of(name, 1)));
    RecallFilter about = RecallFilter.any().withEntity(name);
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () -> memory.recall(SPACE, RecallQuery.of("x", 1).withFilter(about)));
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED, () -> memory.forget(SPACE, ForgetRecords.matching(about)));
  }

  @Test
  @DisplayName("STO-27: a confidence outside 0 to 1 is refused")
  void confidenceOutOfRange() {
    for (double wrong : new double[] {-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY}) {
      refuses(
          MemoryErrorCode.CONFIDENCE_OUT_OF_RANGE,
          () -> run(WriteNote.of("a", "b", NoteType.FACT, "c").withConfidence(wrong)));
      refuses(
          MemoryErrorCode.CONFIDENCE_OUT_OF_RANGE,
          () ->
              new Provenance(
                  Optional.empty(), ExtractionMethod.INFERRED, Optional.of(wrong), List.of()));
    }
  }

  @Test
  @DisplayName("ERR-04: invalid text is refused")
  void notText() {
    Scope scope = scopeOf(start());
    refuses(MemoryErrorCode.NOT_TEXT, () -> run(StartTrajectory.of(HALF, PLANNER)));
    refuses(MemoryErrorCode.NOT_TEXT, () -> say(scope, "a\0b"));
    refuses(MemoryErrorCode.NOT_TEXT, () -> learn("x" + HALF));
    refuses(MemoryErrorCode.NOT_TEXT, () -> Labels.ofExternalId(HALF));
    refuses(MemoryErrorCode.NOT_TEXT, () -> Labels.none().withMetadata("k", HALF));
    refuses(MemoryErrorCode.NOT_TEXT, () -> new TurnPart.ToolCallPart("c", "t", HALF));
    refuses(MemoryErrorCode.NOT_TEXT, () -> new TurnPart.ToolResultPart("c", "\0", false));
    refuses(MemoryErrorCode.NOT_TEXT, () -> USER.withModel(HALF, 1));
    refuses(MemoryErrorCode.NOT_TEXT, () -> EntityRef.agent(HALF));
    refuses(MemoryErrorCode.NOT_TEXT, () -> RecallFilter.ofSubject("a\0"));
    refuses(MemoryErrorCode.NOT_TEXT, () -> RecallFilter.any().withEntity(HALF));
    refuses(MemoryErrorCode.NOT_TEXT, () -> RecallQuery.of(HALF, 1));
    refuses(MemoryErrorCode.NOT_TEXT, () -> memory.remember(SPACE, HALF, List.of(USER)));
    refuses(MemoryErrorCode.NOT_TEXT, () -> run(EndTrajectory.complete(scope.trajectory(), HALF)));
    refuses(MemoryErrorCode.NOT_TEXT, () -> make(scope, HALF));
  }

  @Test
  @DisplayName("ERR-04: a refusal has fields that name its record, for programs")
  void refusalsNameWhatTheySpeakOf() {
    Trajectory trajectory = start();
    String id = trajectory.id().toString();
    says(
        () -> run(SuspendOrResumeTrajectory.suspend(unknown())),
        Map.of("entity_type", "trajectory", "id", unknown().toString()));
    says(() -> learn(" "), Map.of("field", "note"));
    says(() -> RecallQuery.of("x", 0), Map.of("field", "limit"));
    says(() -> learn("x" + HALF), Map.of("field", "note"));
    says(
        () -> run(RollBackTrajectory.toLatestCheckpoint(trajectory.id())),
        Map.of("trajectory", id));
    Artifact artifact = make(scopeOf(trajectory), "the same");
    says(
        () ->
            run(
                new SupersedeArtifact(
                    artifact.id(),
                    NewArtifact.of(
                        scopeOf(trajectory).id(), ArtifactType.FACT, Bytes.of("the same")))),
        Map.of("entity_type", "artifact", "ids", List.of(artifact.id(), artifact.id()).toString()));
  }

  private static void says(ThrowingCallable call, Map<String, String> fields) {
    assertThat(catchThrowableOfType(CaliberException.class, call).fields()).isEqualTo(fields);
  }

  @Test
  @DisplayName("ERR-04: every refusal has its code, its family and its kind")
  void codes() {
    for (MemoryErrorCode code : MemoryErrorCode.values()) {
      boolean model = code == MemoryErrorCode.SUMMARIZATION_FAILED;
      assertThat(code.family()).isEqualTo(model ? ErrorFamily.LLM : ErrorFamily.VALIDATION);
      assertThat(code.text()).endsWith("_" + code.name());
      assertThat(code.kind()).isNotNull();
    }
  }

  @Test
  void valuesThatMakeNoSense() {
    Instant now = clock.instant();
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> TimeRange.between(now, now));
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> new Ttl.DurationTtl(0));
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> new Ttl.DurationTtl(Long.MAX_VALUE));
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> Ttl.of(Duration.ofSeconds(Long.MAX_VALUE)));
    assertThat(Ttl.of(Duration.ofDays(2_900_000)).expiresAt(clock.instant())).isPresent();
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> Labels.none().withMetadata("k", Map.of()));
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> NewTurn.user("x").withModel("m", -1));
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> RecallQuery.of("x", 0));
    refuses(
        MemoryErrorCode.CONSTRAINT_VIOLATION,
        () -> new ForgetRecords(Optional.empty(), Optional.empty(), false, ""));
    Trajectory one = start();
    Scope other = scopeOf(start());
    refuses(
        MemoryErrorCode.CONSTRAINT_VIOLATION, () -> run(SaveCheckpoint.of(one.id(), other.id())));
    Note note = run(WriteNote.of("a", "b", NoteType.FACT, "c").withValidity(TimeRange.from(now)));
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> run(new EndNote(note.id(), now)));
  }

  @Test
  @DisplayName("LIF-02: more ancestors than the limit are refused")
  void tooManyParents() {
    Trajectory trajectory = start();
    int limit = MemoryConfig.starter().limits().parentDepth();
    for (int i = 0; i < limit; i++) {
      trajectory = run(StartTrajectory.of("deeper", PLANNER).withParent(trajectory.id()));
    }
    Trajectory last = trajectory;
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () -> run(StartTrajectory.of("too deep", PLANNER).withParent(last.id())));
  }

  @Test
  void oneBadTurnOfManyWritesNone() {
    Scope scope = scopeOf(start());
    refuses(
        MemoryErrorCode.UNPAIRED_TOOL_RESULT,
        () ->
            run(
                AppendTurns.of(
                    scope.id(),
                    NewTurn.user("fine"),
                    NewTurn.of(TurnRole.TOOL, new TurnPart.ToolResultPart("nobody", "x", false)))));
  }
}
