package dev.caliber.memory.context.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.ContextFixture;
import dev.caliber.memory.context.budget.ShortenerTest;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.InclusionDecision;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Explanations of windows, and differences between two. */
@EachEngine
class ExplainContract extends ContextFixture {
  private static AssembleRequest xml(Trajectory task) {
    return AssembleRequest.of(task.id()).withFormat(ContextFormat.XML);
  }

  private Window window(Trajectory task) {
    clock.advance(Duration.ofSeconds(1));
    return assemble(AssembleRequest.of(task.id()).withDryRun()).window();
  }

  @Test
  @DisplayName("OBS-06: an explanation adds up, and says in words what was left out")
  void explanation() {
    Trajectory task = start();
    Scope scope = scopeOf(task);
    for (int i = 0; i < 30; i++) {
      say(scope, "Message %02d of the conversation.".formatted(i));
    }
    Window window = assemble(AssembleRequest.of(task.id()).withMaxTokens(300)).window();
    WindowExplanation told = WindowExplanation.of(window);
    assertThat(told.windowId()).isEqualTo(window.id());
    assertThat(told.counter()).isEqualTo("estimate");
    assertThat(told.budget().bySection().values().stream().mapToInt(i -> i).sum())
        .isEqualTo(told.budget().used())
        .isEqualTo(window.usedTokens());
    assertThat(told.inclusions().size() + told.exclusions().size()).isEqualTo(30);
    assertThat(told.exclusions().getFirst().words())
        .startsWith("left out: ")
        .contains("no included item has a lower priority");
    assertThat(told.exclusions().getFirst().wouldHaveTokens()).isPositive();
    assertThat(told.inclusions())
        .extracting(WindowExplanation.ExplanationItem::scores)
        .isEqualTo(
            window.ledger().stream()
                .filter(line -> line.decision() == InclusionDecision.INCLUDE)
                .map(line -> line.candidate().scores())
                .toList());
  }

  @Test
  @DisplayName("OBS-06: two windows differ, and why")
  void differences() {
    Trajectory task = start();
    Scope scope = scopeOf(task);
    for (int i = 0; i < 10; i++) {
      say(scope, "Message %02d of the conversation.".formatted(i));
    }
    Window small = assemble(AssembleRequest.of(task.id()).withMaxTokens(120)).window();
    Window large = assemble(AssembleRequest.of(task.id()).withMaxTokens(400)).window();
    WindowDiff diff = assembler.diff(SPACE, small, large);
    assertThat(diff.inputs()).containsKey("budget");
    assertThat(diff.removed()).isEmpty();
    assertThat(diff.added())
        .isNotEmpty()
        .allSatisfy(recordDifference -> assertThat(recordDifference.why()).isNotBlank());
    assertThat(assembler.diff(SPACE, small, small).isEmpty()).isTrue();
    WindowDiff back = assembler.diff(SPACE, large, small);
    assertThat(back.added()).isEmpty();
    assertThat(back.removed())
        .hasSameSizeAs(diff.added())
        .allSatisfy(recordDifference -> assertThat(recordDifference.before()).isPositive())
        .allSatisfy(recordDifference -> assertThat(recordDifference.after()).isZero())
        .allSatisfy(
            recordDifference ->
                assertThat(recordDifference.why())
                    .containsAnyOf("Budget exceeded", "Older than a turn"));
  }

  @Test
  @DisplayName("OBS-06: what has another size, or no rule offers any more, has its reason")
  void resizedAndGone() {
    Trajectory task = start();
    Turn turn =
        say(
            scopeOf(task),
            NewTurn.of(
                TurnRole.ASSISTANT, TurnPart.text(String.join(" ", ShortenerTest.SENTENCES))));
    Note old = learn("alice", "Alice lives in Paris.");
    Window small = assemble(AssembleRequest.of(task.id()).withMaxTokens(300)).window();
    memory.run(
        SPACE,
        new SupersedeNote(
            old.id(), WriteNote.of("alice", "person", NoteType.FACT, "Alice lives in Rome.")));
    Window large = assemble(AssembleRequest.of(task.id()).withMaxTokens(900)).window();
    WindowDiff diff = assembler.diff(SPACE, small, large);
    assertThat(diff.removed()).hasSize(1);
    assertThat(diff.removed().getFirst().candidate().id()).isEqualTo(old.id());
    assertThat(diff.removed().getFirst().why()).isEqualTo("superseded since");
    assertThat(diff.resized()).hasSize(1);
    assertThat(diff.resized().getFirst().candidate().id()).isEqualTo(turn.id());
    assertThat(diff.resized().getFirst().after()).isGreaterThan(diff.resized().getFirst().before());
    assertThat(diff.resized().getFirst().why())
        .startsWith("truncated (Cut at the end of a sentence or line: ")
        .endsWith(" were left), then whole");
    Window xml = assemble(xml(task).withMaxTokens(900)).window();
    assertThat(assembler.diff(SPACE, large, xml).resized())
        .isNotEmpty()
        .allMatch(
            recordDifference ->
                recordDifference
                    .why()
                    .equals("the item is rendered or its tokens are counted differently"));
  }

  @Test
  @DisplayName("OBS-06: whatever went in differently is named, the recipe field by field")
  void everyInputIsNamed() {
    Trajectory task = start();
    say(scopeOf(task), "Hello");
    Window plain = assemble(AssembleRequest.of(task.id()).withDryRun()).window();
    use(
        starter(
            "context.system-instructions = 'Be kind.'",
            "context.bytes-per-token = 2",
            "context.fill-ratio = 0.5",
            "context.ranking.redundancy = 0.5",
            "context.ranking.half-life = '1d'",
            "context.reserves.recalled = 0",
            "context.reserves.artifacts = 0",
            "context.reserves.notes = 0.1",
            "context.reserves.sessions = 0",
            "context.reserves.history = 0"));
    Window other =
        assemble(
                ask(task, "hello")
                    .withModel("some-model")
                    .withFormat(ContextFormat.XML)
                    .withMaxTokens(500)
                    .withLimits(RuntimeConfig.starter().pcp().windowLimits())
                    .withDryRun())
            .window();
    Map<String, List<String>> inputs = assembler.diff(SPACE, plain, other).inputs();
    assertThat(inputs)
        .containsEntry("query", List.of("none", "hello"))
        .containsEntry("model", List.of("none", "some-model"))
        .containsEntry("budget", List.of("8000", "500"))
        .containsEntry("instructions", List.of("", "Be kind."))
        .containsEntry("fill_ratio", List.of("0.95", "0.5"))
        .containsEntry("bytes_per_token", List.of("3.5", "2.0"))
        .containsEntry("format", List.of("MARKDOWN", "XML"))
        .containsEntry("ranking redundancy", List.of("0.0", "0.5"))
        .containsEntry("dosage max_notes", List.of("none", "10"))
        .containsEntry("section notes reserve", List.of("0.2", "0.1"))
        .containsEntry("section system priority", List.of("none", "100"))
        .containsKeys("ranking half_life", "degraded", "generations")
        .doesNotContainKeys("counter", "margin", "trajectory", "sequence", "as_of", "text");
    assertThat(assembler.diff(SPACE, plain, plain).inputs()).isEmpty();
  }

  @Test
  @DisplayName("OBS-06: an explanation says why a window is less than it could be")
  void degradedIsTold() {
    Trajectory task = start();
    learn("zebra", "The zebra sleeps standing.");
    Window byWords = assemble(ask(task, "zebra")).window();
    assertThat(byWords.inputs().degraded()).as("there is no embedder").isPresent();
    assertThat(WindowExplanation.of(byWords).degraded()).isEqualTo(byWords.inputs().degraded());
    assertThat(WindowExplanation.of(window(task)).degraded()).isEmpty();
  }

  @Test
  @DisplayName("OBS-06: what its own section has no room for displaces nothing")
  void boundOfTheSection() {
    Trajectory task = start();
    Note first = learn("zebra", "The zebra sleeps standing, " + "and so on ".repeat(20));
    learn("owl", "The owl sleeps by day, " + "and so on ".repeat(20));
    deploy(rule("notes", new InjectionMode.FullInjection(), 50, 130));
    WindowExplanation told = WindowExplanation.of(window(task));
    assertThat(told.exclusions())
        .extracting(
            WindowExplanation.ExplanationItem::sourceId, WindowExplanation.ExplanationItem::rule)
        .containsExactly(tuple(first.id(), "budget_limit"));
    assertThat(told.exclusions().getFirst().words())
        .contains("Section limit reached")
        .doesNotContain("displaced", "lower priority");
  }

  @Test
  @DisplayName("OBS-06: another version with as many tokens is a change, another place a move")
  void changedAndMoved() {
    Trajectory task = start();
    Note note = learn("alice", "Alice lives in Paris.");
    Window before = window(task);
    memory.run(SPACE, new EndNote(note.id(), clock.instant().plus(Duration.ofDays(1))));
    Window later = window(task);
    WindowDiff changed = assembler.diff(SPACE, before, later);
    assertThat(changed.isEmpty()).isFalse();
    assertThat(changed.changed())
        .extracting(
            recordDifference -> recordDifference.candidate().id(), WindowDiff.RecordDifference::why)
        .containsExactly(tuple(note.id(), "version 1, then version 2"));
    assertThat(changed.resized()).isEmpty();
    assertThat(changed.moved()).isEmpty();
    Turn turn = say(scopeOf(task), "Where does Alice live?");
    WindowDiff moved = assembler.diff(SPACE, later, window(task));
    assertThat(moved.added())
        .extracting(
            recordDifference -> recordDifference.candidate().id(), WindowDiff.RecordDifference::why)
        .containsExactly(tuple(turn.id(), "written since"));
    assertThat(moved.moved())
        .extracting(
            recordDifference -> recordDifference.candidate().id(), WindowDiff.RecordDifference::why)
        .containsExactly(tuple(note.id(), "[1], then [2]"));
    deploy(rule("facts", new InjectionMode.FullInjection(), 50, 4000));
    assertThat(assembler.diff(SPACE, later, window(task)).moved().getFirst().why())
        .isEqualTo("section notes, then section facts; [1], then [2]");
  }

  @Test
  @DisplayName("OBS-06: instructions that say something else are a change, neither in nor out")
  void otherInstructions() {
    Trajectory task = start();
    use(instructed("Be kind."));
    Window before = assemble(task).window();
    use(instructed("Be brief and kind."));
    WindowDiff diff = assembler.diff(SPACE, before, assemble(task).window());
    assertThat(diff.added()).isEmpty();
    assertThat(diff.removed()).isEmpty();
    assertThat(diff.changed())
        .singleElement()
        .satisfies(
            recordDifference -> {
              assertThat(recordDifference.candidate().kind()).isEqualTo(SourceKind.SYSTEM);
              assertThat(recordDifference.why()).isEqualTo("the content of the record changed");
            });
  }

  @Test
  @DisplayName("OBS-06: what became of a record between two windows is why only one has it")
  void whatHappenedSince() {
    Trajectory task = start();
    Scope scope = scopeOf(task);
    say(scope, "The build is broken.");
    Checkpoint point = memory.run(SPACE, SaveCheckpoint.of(task.id()));
    Turn astray = say(scope, "Let us drop the parser.");
    Artifact draft = make(scope, "draft");
    Note brief = brief();
    Window before = window(task);
    clock.advance(Duration.ofSeconds(1));
    memory.run(
        SPACE,
        new SupersedeArtifact(
            draft.id(), NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("better"))));
    Window superseded = window(task);
    clock.advance(Duration.ofHours(2));
    Window expired = window(task);
    memory.run(SPACE, RollBackTrajectory.toCheckpoint(point));
    Window back = window(task);
    assertThat(why(before, superseded, draft.id())).isEqualTo("superseded since");
    assertThat(why(superseded, expired, brief.id())).isEqualTo("expired since");
    assertThat(why(expired, back, astray.id())).isEqualTo("rolled back since");
    Id better = assembler.diff(SPACE, before, superseded).added().getFirst().candidate().id();
    assertThat(why(superseded, before, better)).isEqualTo("written since");
  }

  @Test
  @DisplayName("OBS-06: what only the rules of one window bring says so")
  void noRuleOfferedIt() {
    Trajectory task = start();
    Note owl = learn("owl", "The owl sleeps by day.");
    learn("zebra", "The zebra sleeps standing.");
    Window all = window(task);
    deploy(rule("knowledge", new InjectionMode.TopKInjection(1), 50, 4000));
    assertThat(why(all, window(task), owl.id())).isEqualTo("no injection rule offered the record");
  }

  private Note brief() {
    Instant now = clock.instant();
    return memory.run(
        SPACE,
        WriteNote.of("alice", "person", NoteType.FACT, "Alice is on leave.")
            .withValidity(TimeRange.between(now, now.plus(Duration.ofHours(1)))));
  }

  private String why(Window one, Window other, Id record) {
    return assembler.diff(SPACE, one, other).removed().stream()
        .filter(recordDifference -> recordDifference.candidate().id().equals(record))
        .findFirst()
        .orElseThrow()
        .why();
  }
}
