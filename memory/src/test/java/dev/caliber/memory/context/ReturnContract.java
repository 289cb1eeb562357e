package dev.caliber.memory.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextIntegrityConfig.AncestorPruneStrategy;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.EngineKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Windows of trajectories that were rolled back, were forked, or have ancestors. */
@EachEngine({EngineKind.SQLITE, EngineKind.POSTGRES})
class ReturnContract extends ContextFixture {

  private Instant later() {
    clock.advance(Duration.ofMinutes(1));
    return clock.instant();
  }

  private Artifact replace(Artifact old, Scope scope, String content) {
    return memory.run(
        SPACE,
        new SupersedeArtifact(
            old.id(), NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of(content))));
  }

  /**
   * Writes a turn in an earlier scope, two in the current one, and two artifacts, one as long as
   * the scope.
   */
  private Trajectory tell() {
    Trajectory task = start();
    say(scopeOf(task), "The parser fails on tabs.");
    memory.run(SPACE, CloseScope.of(scopeOf(task).id()));
    Scope scope = memory.run(SPACE, new OpenScope(task.id()));
    say(scope, "Which file is it?");
    say(scope, NewTurn.assistant("It is Lexer.java."));
    make(scope, "draft");
    memory.run(
        SPACE,
        CreateArtifacts.of(
            NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("for this scope alone"))
                .withTtl(new Ttl.ScopeTtl())));
    later();
    return task;
  }

  private void goAstray(Trajectory task) {
    Scope scope = scopeOf(task);
    say(scope, "Let us drop the parser.");
    Artifact draft = memory.view(SPACE, view -> view.artifacts(task.id())).getFirst();
    replace(draft, scope, "better");
    memory.run(SPACE, CloseScope.of(scope.id()));
    say(memory.run(SPACE, new OpenScope(task.id())), "Now without a parser.");
    later();
  }

  @Test
  @DisplayName("CTX-25: as_of shows what was live then, superseded and rolled back since")
  void asItWas() {
    Trajectory task = tell();
    Checkpoint point = memory.run(SPACE, SaveCheckpoint.of(task.id()));
    String first = assemble(task).text();
    Instant then = later();
    goAstray(task);
    String second = assemble(task).text();
    Instant between = later();
    later();
    memory.run(SPACE, RollBackTrajectory.toCheckpoint(point));
    later();
    assertThat(second).contains("better").doesNotContain("draft");
    assertThat(assemble(AssembleRequest.of(task.id()).withAsOf(then)).text()).isEqualTo(first);
    assertThat(assemble(AssembleRequest.of(task.id()).withAsOf(between)).text()).contains("better");
    assertThat(assemble(AssembleRequest.of(task.id()).withAsOf(between)).text())
        .doesNotContain("draft");
  }

  @Test
  @DisplayName("CTX-25, STO-30: the same as_of gives the same bytes after the store was reopened")
  void afterAnEndOfTheProcess() {
    Trajectory task = tell();
    Instant then = clock.instant();
    String before = assemble(AssembleRequest.of(task.id()).withAsOf(then)).text();
    goAstray(task);
    reopen();
    assertThat(assemble(AssembleRequest.of(task.id()).withAsOf(then)).text()).isEqualTo(before);
  }

  @Test
  @DisplayName("REC-06, J-38: the new scope goes on from the checkpointed one: the same window")
  void theWindowIsTheCheckpoints() {
    Trajectory task = tell();
    Checkpoint point = memory.run(SPACE, SaveCheckpoint.of(task.id()));
    String first = assemble(task).text();
    goAstray(task);
    memory.run(SPACE, RollBackTrajectory.toCheckpoint(point));
    later();
    assertThat(assemble(task).text()).isEqualTo(first);
    goAstray(task);
    memory.run(SPACE, RollBackTrajectory.toCheckpoint(point));
    later();
    assertThat(assemble(task).text()).isEqualTo(first);
    say(scopeOf(task), "Then let us mend the lexer.");
    assertThat(assemble(task).text())
        .contains("Which file is it?", "It is Lexer.java.", "Then let us mend the lexer.");
  }

  @Test
  @DisplayName("PCP-13: a fork has the checkpoint's window, and goes its own way")
  void forks() {
    Trajectory task = tell();
    Checkpoint point = memory.run(SPACE, SaveCheckpoint.of(task.id()));
    String first = assemble(task).text();
    goAstray(task);
    Trajectory fork = fork(point);
    assertThat(fork.parent()).contains(task.id());
    later();
    assertThat(assemble(fork).text()).isEqualTo(first);
    memory.run(SPACE, RollBackTrajectory.toCheckpoint(point));
    say(scopeOf(task), "The original goes on.");
    say(scopeOf(fork), "The fork goes on.");
    assertThat(assemble(fork).text())
        .contains("Which file is it?", "The fork goes on.", "draft")
        .doesNotContain("The original goes on.");
    assertThat(assemble(task).text()).doesNotContain("The fork goes on.");
  }

  @Test
  @DisplayName("PCP-13: a fork from amid a tool's call has the checkpoint's window, and answers it")
  void forksAmidACall() {
    Trajectory task = tell();
    say(
        scopeOf(task),
        NewTurn.of(TurnRole.ASSISTANT, new TurnPart.ToolCallPart("c1", "grep", "{}")));
    Checkpoint point = memory.run(SPACE, SaveCheckpoint.of(task.id()));
    String first = assemble(task).text();
    later();
    say(
        scopeOf(task),
        NewTurn.of(TurnRole.TOOL, new TurnPart.ToolResultPart("c1", "the origin's", false)));
    Trajectory fork = fork(point);
    later();
    assertThat(assemble(fork).text()).isEqualTo(first);
    assertThat(memory.<List<ToolExchange>>view(SPACE, view -> view.openCalls(fork.id())))
        .extracting(ToolExchange::call)
        .containsExactly("c1");
    say(
        scopeOf(fork),
        NewTurn.of(TurnRole.TOOL, new TurnPart.ToolResultPart("c1", "the fork's", false)));
    assertThat(assemble(fork).text()).contains("the fork's").doesNotContain("the origin's");
    assertThat(assemble(task).text()).contains("the origin's").doesNotContain("the fork's");
  }

  private Trajectory fork(Checkpoint point) {
    return memory.run(
        SPACE,
        new ForkTrajectory(
            point.id(), StartTrajectory.of("Another way", EntityRef.agent("planner"))));
  }

  @Test
  @DisplayName("PCP-23, PCP-03: ancestors reach into a window, up to a depth, by a strategy")
  void ancestors() {
    Trajectory parser = below(start(), "Mend the parser");
    Trajectory lexer = below(parser, "Mend the lexer");
    Trajectory child = below(lexer, "Add a test");
    make(scopeOf(lexer), "tabs are whitespace");
    make(scopeOf(parser), "grammar 1.0");
    assertThat(assemble(child).text()).contains("grammar 1.0", "tabs are whitespace");
    useDag("pcp.context-dag.enabled = false");
    assertThat(assemble(child).text()).doesNotContain("grammar", "tabs");
    useDag(dag(AncestorPruneStrategy.LRU));
    assertThat(assemble(child).text()).contains("grammar 1.0").doesNotContain("tabs");
    later();
    say(scopeOf(lexer), "A person works here.");
    assertThat(assemble(child).text()).contains("tabs").doesNotContain("grammar");
    later();
    say(scopeOf(parser), "And now here.");
    for (AncestorPruneStrategy strategy :
        List.of(AncestorPruneStrategy.RELEVANCE, AncestorPruneStrategy.HYBRID)) {
      useDag(dag(strategy));
      List<String> texts =
          Stream.of("mend the lexer", "mend the parser")
              .map(query -> assemble(AssembleRequest.of(child.id()).withQuery(query)).text())
              .toList();
      assertThat(texts.getLast()).as("%s", strategy).contains("grammar").doesNotContain("tabs");
      assertThat(texts.getFirst()).as("%s", strategy).contains("tabs").doesNotContain("grammar");
    }
  }

  private static String[] dag(AncestorPruneStrategy strategy) {
    return new String[] {
      "pcp.context-dag.max-depth = 1",
      "pcp.context-dag.prune-strategy = '%s'".formatted(strategy.name().toLowerCase(Locale.ROOT))
    };
  }

  @Test
  @DisplayName("PCP-23, PCP-03: hybrid weighs both, and keeps whom neither alone would keep")
  void hybrid() {
    Trajectory near = below(start(), "Lexer parser grammar");
    Trajectory old = below(near, "Lexer");
    Trajectory both = below(old, "Lexer parser");
    Trajectory used = below(both, "Something else");
    Trajectory child = below(used, "Add a test");
    for (Trajectory above : List.of(near, old, both, used)) {
      later();
      make(scopeOf(above), "made for: " + above.goal() + ".");
      say(scopeOf(above), "A person works here.");
    }
    Map<AncestorPruneStrategy, Trajectory> kept =
        Map.of(
            AncestorPruneStrategy.RELEVANCE,
            near,
            AncestorPruneStrategy.HYBRID,
            both,
            AncestorPruneStrategy.LRU,
            used);
    kept.forEach(
        (strategy, one) -> {
          useDag(dag(strategy));
          String text =
              assemble(AssembleRequest.of(child.id()).withQuery("lexer parser grammar")).text();
          assertThat(text).as("%s", strategy).contains("made for: " + one.goal() + ".");
          assertThat(text.split("made for: ", -1)).as("%s", strategy).hasSize(2);
        });
  }

  @Test
  @DisplayName("PCP-23, CTX-18: a search finds what ancestors made and told, as they reach here")
  void ancestorsAreSearched() {
    Trajectory parent = start();
    Scope told = scopeOf(parent);
    say(told, "The grammar of tabs is settled.");
    memory.run(SPACE, CloseScope.of(told.id()));
    Scope scope = memory.run(SPACE, new OpenScope(parent.id()));
    Artifact early = make(scope, "grammar 1.0");
    Checkpoint point = memory.run(SPACE, SaveCheckpoint.of(parent.id()));
    Trajectory fork = fork(point);
    later();
    Artifact late = make(scope, "grammar 2.0");
    Artifact foreign = make(scopeOf(start()), "grammar of another");
    Trajectory child = below(parent, "Add a test");
    InjectionMode relevant = new InjectionMode.RelevantInjection(0.1);
    deploy(rule("artifacts_made", relevant, 60, 4000), rule("scopes", relevant, 40, 4000));
    AssembledWindow below = assemble(ask(child, "grammar"));
    assertThat(below.window().inputs().generations()).as("an index was asked").isNotEmpty();
    for (Id seen : List.of(early.id(), late.id(), told.id())) {
      assertThat(offers(below, seen)).isTrue();
    }
    AssembledWindow forked = assemble(ask(fork, "grammar"));
    assertThat(offers(forked, early.id())).isTrue();
    assertThat(offers(forked, told.id())).isTrue();
    assertThat(offers(forked, late.id())).as("made after the point").isFalse();
    assertThat(offers(below, foreign.id()) || offers(forked, foreign.id())).isFalse();
  }

  private Trajectory below(Trajectory parent, String goal) {
    return memory.run(
        SPACE, StartTrajectory.of(goal, EntityRef.agent("planner")).withParent(parent.id()));
  }
}
