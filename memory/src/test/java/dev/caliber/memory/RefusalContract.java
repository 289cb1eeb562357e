package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.Consolidate;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.MoveTrajectory;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.command.RollBack;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.SupersedeNote;
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
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Period;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.spi.AccessPolicy;
import dev.caliber.memory.spi.AccessPolicy.Access;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Bad input is refused with its code, and nothing is written, on whatever engine. */
abstract class RefusalContract extends MemoryFixture {
  private static final String HALF = "\uD800";
  private static final NewTurn USER = NewTurn.user("x");

  @Test
  @DisplayName("ERR-04: an id that is not there is refused by every command")
  void unknownIds() {
    CreateArtifact artifact = CreateArtifact.of(unknown(), ArtifactType.FACT, Bytes.of("x"));
    WriteNote note = WriteNote.of("a", "b", NoteType.FACT, "c");
    List<Command<?>> commands =
        List.of(
            MoveTrajectory.suspend(unknown()),
            MoveTrajectory.resume(unknown()),
            EndTrajectory.complete(unknown(), ""),
            new OpenScope(unknown()),
            CloseScope.of(unknown()),
            AppendTurns.of(unknown(), NewTurn.user("x")),
            CreateArtifacts.of(artifact),
            new SupersedeArtifact(unknown(), artifact),
            note.learnedIn(unknown()),
            new SupersedeNote(unknown(), note),
            new EndNote(unknown(), clock.instant()),
            new Consolidate(unknown()),
            SaveCheckpoint.of(unknown()),
            RollBack.toLatest(unknown()),
            RunPolicy.on(unknown(), "unheard-of", "k"),
            StartTrajectory.of("x", PLANNER).under(unknown()),
            Forget.of(unknown()));
    for (Command<?> command : commands) {
      refuses(MemoryErrorCode.UNKNOWN_RECORD, () -> run(command));
    }
  }

  @Test
  @DisplayName("LIF-09, LIF-11: a closed scope and an ended trajectory take nothing more")
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

  /** One whose life would end with the scope would otherwise never end. */
  private static List<Command<?>> tooLate(Scope scope, Artifact kept) {
    CreateArtifact late =
        CreateArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("too late"))
            .living(new Ttl.Scope());
    CreateArtifact again = CreateArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("in time"));
    return List.of(
        CreateArtifacts.of(late),
        CreateArtifacts.of(again, late),
        new SupersedeArtifact(kept.id(), late));
  }

  @Test
  @DisplayName("LIF-11: what a closed scope has already is answered again, and nothing is written")
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
      "LIF-11: what lives for a time is answered again as well; only a longer time is news")
  void whatLivesForATimeIsAnswered() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    CreateArtifact wish =
        CreateArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("for an hour"))
            .living(Ttl.of(Duration.ofHours(1)));
    Artifact kept = run(CreateArtifacts.of(wish)).getFirst();
    run(CloseScope.of(scope.id()));
    clock.advance(Duration.ofMinutes(1));
    Map<String, String> before = everything();
    assertThat(run(CreateArtifacts.of(wish))).containsExactly(kept);
    assertThat(everything()).isEqualTo(before);
    CreateArtifact longer = wish.living(Ttl.of(Duration.ofHours(2)));
    refuses(MemoryErrorCode.SCOPE_CLOSED, () -> run(CreateArtifacts.of(longer)));
  }

  @Test
  @DisplayName("ERR-04: what says nothing is refused")
  void emptyContent() {
    Scope scope = scopeOf(start());
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> run(StartTrajectory.of(" ", PLANNER)));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> say(scope, ""));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> run(new AppendTurns(scope.id(), List.of())));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> NewTurn.of(Role.USER));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> make(scope, ""));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> learn("\n"));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> memory.remember(SPACE, Remember.of("")));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> RecallQuery.of("", 1));
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> Labels.ofSubject(""));
  }

  @Test
  @DisplayName("ERR-04: content over a limit is refused, never cut")
  void contentOverTheLimit() {
    MemoryConfig.Limits limits = MemoryConfig.starter().limits();
    Scope scope = scopeOf(start());
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () -> say(scope, "x".repeat((int) limits.turn().bytes() + 1)));
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () -> make(scope, "x".repeat((int) limits.artifact().bytes() + 1)));
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () -> learn("ä".repeat((int) limits.note().bytes() / 2 + 1)));
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () -> run(StartTrajectory.of("x".repeat((int) limits.text().bytes() + 1), PLANNER)));
    String name = "x".repeat((int) limits.text().bytes() + 1);
    List<Command<?>> named =
        List.of(
            StartTrajectory.of("x", EntityRef.agent(name)),
            StartTrajectory.of("x", PLANNER).tagged(name),
            StartTrajectory.of("x", PLANNER).labelled(Labels.ofExternalId(name)),
            AppendTurns.of(scope.id(), USER.by(name, 1)),
            AppendTurns.of(
                scope.id(), NewTurn.of(Role.ASSISTANT, new Part.ToolCall(name, "t", ""))),
            AppendTurns.of(scope.id(), USER.labelled(Labels.none().with("k", name))),
            WriteNote.of(name, "b", NoteType.FACT, "c"),
            new Forget(Optional.of(scope.id()), Optional.empty(), false, name));
    for (Command<?> command : named) {
      refuses(KernelErrorCode.LIMIT_EXCEEDED, () -> run(command));
    }
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () ->
            run(
                new AppendTurns(
                    scope.id(),
                    java.util.Collections.nCopies(limits.turns() + 1, NewTurn.user("x")))));
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () ->
            memory.recall(SPACE, RecallQuery.of("x", MemoryConfig.starter().recall().limit() + 1)));
    refuses(KernelErrorCode.LIMIT_EXCEEDED, () -> memory.recall(SPACE, RecallQuery.of(name, 1)));
    RecallFilter about = RecallFilter.any().about(name);
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () -> memory.recall(SPACE, RecallQuery.of("x", 1).among(about)));
    refuses(KernelErrorCode.LIMIT_EXCEEDED, () -> memory.forget(SPACE, Forget.all(about)));
  }

  @Test
  @DisplayName("STO-27: a confidence outside 0 to 1 is refused")
  void confidenceOutOfRange() {
    for (double wrong : new double[] {-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY}) {
      refuses(
          MemoryErrorCode.CONFIDENCE_OUT_OF_RANGE,
          () -> run(WriteNote.of("a", "b", NoteType.FACT, "c").sure(wrong)));
      refuses(
          MemoryErrorCode.CONFIDENCE_OUT_OF_RANGE,
          () ->
              new Provenance(
                  Optional.empty(), ExtractionMethod.INFERRED, Optional.of(wrong), List.of()));
    }
  }

  @Test
  @DisplayName("ERR-04: what is not text is refused where text is wanted")
  void notText() {
    Scope scope = scopeOf(start());
    refuses(MemoryErrorCode.NOT_TEXT, () -> run(StartTrajectory.of(HALF, PLANNER)));
    refuses(MemoryErrorCode.NOT_TEXT, () -> say(scope, "a\0b"));
    refuses(MemoryErrorCode.NOT_TEXT, () -> learn("x" + HALF));
    refuses(MemoryErrorCode.NOT_TEXT, () -> Labels.ofExternalId(HALF));
    refuses(MemoryErrorCode.NOT_TEXT, () -> Labels.none().with("k", HALF));
    refuses(MemoryErrorCode.NOT_TEXT, () -> new Part.ToolCall("c", "t", HALF));
    refuses(MemoryErrorCode.NOT_TEXT, () -> new Part.ToolResult("c", "\0", false));
    refuses(MemoryErrorCode.NOT_TEXT, () -> USER.by(HALF, 1));
    refuses(MemoryErrorCode.NOT_TEXT, () -> EntityRef.agent(HALF));
    refuses(MemoryErrorCode.NOT_TEXT, () -> RecallFilter.ofSubject("a\0"));
    refuses(MemoryErrorCode.NOT_TEXT, () -> RecallFilter.any().about(HALF));
    refuses(MemoryErrorCode.NOT_TEXT, () -> RecallQuery.of(HALF, 1));
    refuses(MemoryErrorCode.NOT_TEXT, () -> memory.remember(SPACE, HALF, List.of(USER)));
    refuses(MemoryErrorCode.NOT_TEXT, () -> run(EndTrajectory.complete(scope.trajectory(), HALF)));
    refuses(MemoryErrorCode.NOT_TEXT, () -> make(scope, HALF));
  }

  @Test
  @DisplayName("ERR-04: a refusal names what it speaks of, for programs")
  void refusalsNameWhatTheySpeakOf() {
    Trajectory trajectory = start();
    String id = trajectory.id().toString();
    says(
        () -> run(MoveTrajectory.suspend(unknown())),
        Map.of("entity_type", "trajectory", "id", unknown().toString()));
    says(() -> learn(" "), Map.of("field", "note"));
    says(() -> RecallQuery.of("x", 0), Map.of("field", "limit"));
    says(() -> learn("x" + HALF), Map.of("field", "note"));
    says(() -> run(RollBack.toLatest(trajectory.id())), Map.of("trajectory_id", id));
    Artifact artifact = make(scopeOf(trajectory), "the same");
    says(
        () ->
            run(
                new SupersedeArtifact(
                    artifact.id(),
                    CreateArtifact.of(
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
  void nobodyMayDoAnythingUntilThePolicyAllowsIt() {
    List<String> asked = new ArrayList<>();
    AccessPolicy policy =
        (actor, space, access) -> {
          asked.add(actor + " " + space + " " + access);
          return actor.equals("reader") == (access == Access.READ);
        };
    Memory guarded = Memory.of(store, MemoryConfig.starter(), parts().withAccess(policy));
    Note note = learn("Alice has a dog.");
    Id scope = scopeOf(start()).id();
    for (Memory denied : List.of(guarded, guarded.as("reader"))) {
      List<Runnable> calls =
          List.of(
              () -> denied.run(SPACE, WriteNote.of("a", "b", NoteType.FACT, "c")),
              () -> denied.run(SPACE, Forget.of(note.id())),
              () ->
                  store.write(
                      SPACE, transaction -> denied.run(transaction, AppendTurns.of(scope, USER))),
              () -> denied.remember(SPACE, Remember.of("x")),
              () -> denied.remember(SPACE, "thread", List.of(USER)),
              () -> denied.forget(SPACE, Forget.of(note.id())),
              () -> denied.arm(SPACE),
              () -> denied.tend(SPACE));
      for (Runnable call : calls) {
        refuses(MemoryErrorCode.ACCESS_DENIED, call::run);
      }
    }
    for (Memory denied : List.of(guarded, guarded.as("writer"))) {
      refuses(
          MemoryErrorCode.ACCESS_DENIED, () -> denied.view(SPACE, view -> view.note(note.id())));
      refuses(MemoryErrorCode.ACCESS_DENIED, () -> denied.recall(SPACE, RecallQuery.of("dog", 1)));
      refuses(MemoryErrorCode.ACCESS_DENIED, () -> denied.uncompact(SPACE, scope));
      refuses(
          MemoryErrorCode.ACCESS_DENIED,
          () -> denied.forget(SPACE, Forget.of(note.id()).previewed()));
    }
    assertThat(guarded.as("reader").recall(SPACE, RecallQuery.of("dog", 1)).hits()).hasSize(1);
    guarded.as("writer").forget(SPACE, Forget.of(note.id()));
    assertThat(asked).contains("reader default READ", "writer default FORGET");
    refuses(MemoryErrorCode.EMPTY_CONTENT, () -> guarded.as(" "));
  }

  @Test
  void valuesThatMakeNoSense() {
    Instant now = clock.instant();
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> Period.between(now, now));
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> new Ttl.For(0));
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> new Ttl.For(Long.MAX_VALUE));
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> Ttl.of(Duration.ofSeconds(Long.MAX_VALUE)));
    assertThat(Ttl.of(Duration.ofDays(2_900_000)).end(clock.instant())).isPresent();
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> Labels.none().with("k", Map.of()));
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> NewTurn.user("x").by("m", -1));
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> RecallQuery.of("x", 0));
    refuses(
        MemoryErrorCode.CONSTRAINT_VIOLATION,
        () -> new Forget(Optional.empty(), Optional.empty(), false, ""));
    Trajectory one = start();
    Scope other = scopeOf(start());
    refuses(
        MemoryErrorCode.CONSTRAINT_VIOLATION, () -> run(SaveCheckpoint.of(one.id(), other.id())));
    Note note = run(WriteNote.of("a", "b", NoteType.FACT, "c").holding(Period.from(now)));
    refuses(MemoryErrorCode.CONSTRAINT_VIOLATION, () -> run(new EndNote(note.id(), now)));
  }

  @Test
  @DisplayName("LIF-02: a line of parents longer than the limit is refused")
  void tooManyParents() {
    Trajectory trajectory = start();
    int limit = MemoryConfig.starter().limits().parents();
    for (int i = 0; i < limit; i++) {
      trajectory = run(StartTrajectory.of("deeper", PLANNER).under(trajectory.id()));
    }
    Trajectory last = trajectory;
    refuses(
        KernelErrorCode.LIMIT_EXCEEDED,
        () -> run(StartTrajectory.of("too deep", PLANNER).under(last.id())));
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
                    NewTurn.of(Role.TOOL, new Part.ToolResult("nobody", "x", false)))));
  }
}
