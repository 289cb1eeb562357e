package dev.caliber.memory.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryFixture;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.record.TurnTotals;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Positions, counts and tool calls of turns, on every engine. */
@EachEngine
class TurnContract extends MemoryFixture {

  @Test
  @DisplayName("LIF-10, J-23: turns stay readable and counted after their scope is closed")
  void turnsSurviveTheClose() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    run(AppendTurns.of(scope.id(), NewTurn.assistant("Done.").withModel("m", 7)));
    run(CloseScope.of(scope.id()));
    assertThat(memory.summarizedTurns(SPACE, scope.id())).hasSize(1);
    assertThat(read(trajectory).counters()).isEqualTo(new TurnTotals(1, 0, 7));
  }

  @Test
  @DisplayName("LIF-09, STO-28: a turn rewrites neither its scope nor its trajectory")
  void aTurnIsOneRecordOfTheFeed() {
    Scope scope = scopeOf(start());
    FeedCursor head = store.changes().head(SPACE);
    Turn turn = say(scope, "Hello");
    assertThat(store.changes().read(SPACE, head, 10))
        .flatExtracting(Commit::changes)
        .extracting(recordChange -> recordChange.table() + " " + recordChange.key())
        .containsExactly("turn " + turn.id());
  }

  @Test
  @DisplayName("LIF-09, STO-05: positions and counters continue after a removed last turn")
  void placesAreNotGivenAgain() {
    Trajectory trajectory = start();
    Scope first = scopeOf(trajectory);
    Scope second = run(new OpenScope(trajectory.id()));
    say(first, "one");
    Turn last = say(second, "two");
    run(ForgetRecords.of(last.id()));
    Turn next = say(first, "three");
    assertThat(next.sequence()).isEqualTo(1);
    assertThat(next.position()).isEqualTo(2);
    assertThat(say(second, "four").sequence()).isEqualTo(1);
    assertThat(read(trajectory).counters().turns()).isEqualTo(4);
  }

  @Test
  @DisplayName("MEM-06: the sequence of a removed newest turn of a scope is not used again")
  void theLastPlaceIsNotGivenAgain() {
    Scope scope = scopeOf(start());
    say(scope, "one");
    run(ForgetRecords.of(say(scope, "two").id()));
    Turn next = say(scope, "three");
    assertThat(next.sequence()).isEqualTo(2);
    assertThat(next.position()).isEqualTo(2);
    assertThat(run(CloseScope.of(scope.id())).turns()).isEqualTo(3);
  }

  @Test
  @DisplayName(
      "LIF-09, MEM-06, MEM-07, STO-05, STO-28, J-27: a turn has the next place and touches its"
          + " trajectory")
  void appendsTurns() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    pass(Duration.ofSeconds(1));
    for (TurnRole turnRole : TurnRole.values()) {
      run(AppendTurns.of(scope.id(), NewTurn.of(turnRole, TurnPart.text(turnRole.name()))));
    }
    List<Turn> turns = memory.view(SPACE, view -> view.turns(scope.id()));
    assertThat(turns).extracting(Turn::sequence).containsExactly(0, 1, 2, 3);
    assertThat(turns).extracting(Turn::role).containsExactly(TurnRole.values());
    assertThat(read(trajectory).updatedAt()).isEqualTo(clock.instant());
    assertThat(memory.<Long>view(SPACE, view -> view.countTurns(scope.id()))).isEqualTo(4);
  }

  @Test
  @DisplayName(
      "MEM-06: positions are dense in the scope and in the trajectory, also across open scopes")
  void placesAcrossScopes() {
    Trajectory trajectory = start();
    Scope first = scopeOf(trajectory);
    Scope second = run(new OpenScope(trajectory.id()));
    say(first, "a");
    say(second, "b");
    Turn last = say(first, "c");
    assertThat(last.sequence()).isEqualTo(1);
    assertThat(last.position()).isEqualTo(2);
    assertThat(memory.<List<Turn>>view(SPACE, view -> view.turns(trajectory.id(), 0, 3)))
        .extracting(Turn::searchableText)
        .containsExactly("a", "b", "c");
  }

  @Test
  void aTurnWithoutCountIsCountedByTheCounter() {
    Turn turn = say(scopeOf(start()), "12345678");
    assertThat(turn.tokens()).isEqualTo(2);
  }

  /** Counter that reads the store, which would fail inside a write. */
  private final class ReadingCounter implements TokenCounter {
    @Override
    public String name() {
      return "reading";
    }

    @Override
    public int count(String text) {
      return store.read(SPACE, _ -> text.length());
    }
  }

  @Test
  void tokensAreCountedBeforeItsTurnToWrite() {
    Scope scope = scopeOf(start());
    MemoryDependencies parts =
        MemoryDependencies.minimal(clock, RuntimeConfig.starter(), new ReadingCounter());
    Memory counting = Memory.of(store, MemoryConfig.starter(), parts);
    List<Turn> said = counting.run(SPACE, AppendTurns.of(scope.id(), NewTurn.user("abc")));
    List<Turn> more = counting.remember(SPACE, "chat", List.of(NewTurn.user("defgh"))).turns();
    assertThat(List.of(said.getFirst(), more.getFirst()))
        .extracting(Turn::tokens)
        .containsExactly(3, 5);
  }

  @Test
  void toolCallsAndResultsStayPaired() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    Turn asked =
        run(AppendTurns.of(
                scope.id(),
                NewTurn.of(
                    TurnRole.ASSISTANT,
                    TurnPart.text("Looking."),
                    new TurnPart.ToolCallPart("c1", "grep", "{\"q\":\"x\"}"))))
            .getFirst();
    assertThat(memory.<List<ToolExchange>>view(SPACE, view -> view.openCalls(trajectory.id())))
        .hasSize(1);
    run(CloseScope.of(scope.id()));
    Scope next = run(new OpenScope(trajectory.id()));
    Turn answered =
        run(AppendTurns.of(
                next.id(),
                NewTurn.of(TurnRole.TOOL, new TurnPart.ToolResultPart("c1", "3 hits", false))))
            .getFirst();
    ToolExchange exchange =
        memory.view(SPACE, view -> view.toolExchange(trajectory.id(), "c1")).orElseThrow();
    assertThat(exchange.callTurn()).isEqualTo(asked.id());
    assertThat(exchange.resultTurn()).contains(answered.id());
    assertThat(memory.summarizedTurns(SPACE, trajectory.id()))
        .flatExtracting(Turn::parts)
        .containsExactly(
            TurnPart.text("Looking."),
            new TurnPart.ToolCallPart("c1", "grep", "{\"q\":\"x\"}"),
            new TurnPart.ToolResultPart("c1", "3 hits", false));
  }

  @Test
  void aResultWithoutACallAndASecondResultAreRefused() {
    Scope scope = scopeOf(start());
    NewTurn result = NewTurn.of(TurnRole.TOOL, new TurnPart.ToolResultPart("c1", "x", false));
    NewTurn call = NewTurn.of(TurnRole.ASSISTANT, new TurnPart.ToolCallPart("c1", "t", "{}"));
    refuses(MemoryErrorCode.UNPAIRED_TOOL_RESULT, () -> run(AppendTurns.of(scope.id(), result)));
    run(AppendTurns.of(scope.id(), call, result));
    refuses(MemoryErrorCode.UNPAIRED_TOOL_RESULT, () -> run(AppendTurns.of(scope.id(), result)));
    refuses(MemoryErrorCode.REPEATED_TOOL_CALL, () -> run(AppendTurns.of(scope.id(), call)));
  }

  @Test
  void aTurnWithAKnownExternalIdIsNotAppendedTwice() {
    Scope scope = scopeOf(start());
    NewTurn turn = NewTurn.user("once").withLabels(Labels.ofExternalId("m-1"));
    Turn first = run(AppendTurns.of(scope.id(), turn)).getFirst();
    assertThat(run(AppendTurns.of(scope.id(), turn))).containsExactly(first);
    assertThat(memory.<Long>view(SPACE, view -> view.countTurns(scope.id()))).isEqualTo(1);
  }

  @Test
  @DisplayName("MEM-04: bytes of any kind are read back unchanged")
  void binaryTurnsComeBack() {
    byte[] all = new byte[256];
    IntStream.range(0, 256).forEach(i -> all[i] = (byte) i);
    Turn turn =
        run(AppendTurns.of(
                scopeOf(start()).id(),
                NewTurn.of(TurnRole.USER, new TurnPart.DataPart("image/png", Bytes.of(all)))))
            .getFirst();
    assertThat(memory.<Turn>view(SPACE, view -> view.turn(turn.id()))).isEqualTo(turn);
  }

  @Test
  @DisplayName("LIF-08, MEM-14: tool results become artifacts at the close, failed ones error logs")
  void toolResultsBecomeArtifacts() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    Turn good = answered(scope, "c1", "3 hits", false);
    Turn failed = answered(scope, "c2", "disk full", true);
    answered(scope, "c3", " ", false);
    run(CloseScope.of(scope.id()));
    List<Artifact> made = memory.view(SPACE, view -> view.artifacts(trajectory.id()));
    assertThat(made)
        .extracting(
            Artifact::type,
            artifact -> artifact.content().text().orElseThrow(),
            artifact -> artifact.provenance().sources(),
            artifact -> artifact.provenance().confidence())
        .containsExactlyInAnyOrder(
            tuple(ArtifactType.TOOL_RESULT, "3 hits", List.of(good.id()), Optional.of(1.0)),
            tuple(ArtifactType.ERROR_LOG, "disk full", List.of(failed.id()), Optional.of(1.0)));
    assertThat(made).allMatch(each -> each.provenance().method() == ExtractionMethod.INFERRED);
    assertThat(memory.<Scope>view(SPACE, view -> view.scope(scope.id())).artifacts())
        .containsExactlyInAnyOrderElementsOf(made.stream().map(Artifact::id).toList());
  }

  /** Appends a tool call and its result. */
  private Turn answered(Scope scope, String call, String content, boolean failed) {
    return run(AppendTurns.of(
            scope.id(),
            NewTurn.of(TurnRole.ASSISTANT, new TurnPart.ToolCallPart(call, "grep", "{}")),
            NewTurn.of(TurnRole.TOOL, new TurnPart.ToolResultPart(call, content, failed))))
        .getLast();
  }
}
