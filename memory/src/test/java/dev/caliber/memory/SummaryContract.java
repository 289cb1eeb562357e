package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.forget.ForgetHandler;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Summaries by a model that may be slow, wrong or unavailable, on every engine. */
@EachEngine
class SummaryContract extends MemoryFixture {
  private static final String METHOD = "model test:m";

  private final List<List<Passage>> asked = new ArrayList<>();
  private Runnable meanwhile = () -> {};
  private boolean silent;
  private String told = "In other words.";
  private Optional<CompiledConfig> deployed = Optional.empty();

  @Override
  public MemoryDependencies parts() {
    return super.parts().withDeployedConfigs(_ -> deployed).withSummarizer(this::summarize);
  }

  private Summary summarize(List<Passage> passages) {
    asked.add(passages);
    meanwhile.run();
    return new Summary(
        METHOD,
        silent
            ? List.of()
            : List.of(new Summary.SummarySentence(told, passages.getLast().source())));
  }

  private Scope read(Scope scope) {
    return memory.view(SPACE, view -> view.scope(scope.id()));
  }

  private Summary summary(Scope scope) {
    return read(scope).summary().orElseThrow();
  }

  private Scope talked() {
    Scope scope = scopeOf(start());
    say(scope, "The vault is in the cellar.");
    say(scope, "The password is swordfish.");
    return scope;
  }

  @Test
  @DisplayName("LLM-03, J-42: a scope is summarised before its close, once")
  void aCloseTakesTheSummary() {
    Scope scope = talked();
    run(CloseScope.of(scope.id()));
    run(CloseScope.of(scope.id()));
    assertThat(summary(scope).method()).isEqualTo(METHOD);
    assertThat(asked).hasSize(1);
    assertThat(memory.summarizedTurns(SPACE, scope.id())).hasSize(2);
  }

  @Test
  @DisplayName("LLM-03: the scopes that a task's end closes are summarised, too")
  void anEndTakesTheSummary() {
    Scope scope = talked();
    run(EndTrajectory.complete(scope.trajectory(), "Done"));
    assertThat(summary(scope).method()).isEqualTo(METHOD);
  }

  @Test
  @DisplayName(
      "LLM-03: a turn said while the model works leads to an extracted summary that includes it")
  void whatComesMeanwhileIsNotLost() {
    Scope scope = talked();
    meanwhile = () -> say(scope, "The cellar is flooded.");
    run(CloseScope.of(scope.id()));
    assertThat(summary(scope).method()).isEqualTo(Summary.EXTRACTIVE);
    assertThat(summary(scope).text()).contains("The cellar is flooded.");
  }

  @Test
  @DisplayName("LLM-03: a turn forgotten while the model works is not in the summary")
  void whatIsForgottenMeanwhileStaysForgotten() {
    Scope scope = talked();
    Turn secret = say(scope, "The second password is mackerel.");
    meanwhile = () -> memory.forget(SPACE, ForgetRecords.of(secret.id()));
    run(CloseScope.of(scope.id()));
    assertThat(summary(scope).method()).isEqualTo(Summary.EXTRACTIVE);
    assertThat(summary(scope).text()).doesNotContain("mackerel");
  }

  @Test
  @DisplayName(
      "LLM-06, J-42: rules replace a model that fails or returns nothing, and the summary says so")
  void aFailureFallsBack() {
    Scope failed = talked();
    meanwhile =
        () -> {
          throw new IllegalStateException("away");
        };
    run(CloseScope.of(failed.id()));
    assertThat(summary(failed).method()).isEqualTo("extractive (the summarizer failed)");
    assertThat(summary(failed).text()).contains("swordfish");
    meanwhile = () -> {};
    silent = true;
    Scope scope = talked();
    run(CloseScope.of(scope.id()));
    assertThat(summary(scope).method()).isEqualTo("extractive (the summarizer failed)");
  }

  @Test
  @DisplayName("POL-03, LLM-03: policies let the model summarise scopes and trajectories")
  void policiesTakeTheSummary() {
    PolicyRule turn =
        new PolicyRule(
            new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TURN),
            List.of(new PolicyAction.SummarizeAction("turns")));
    PolicyRule end =
        new PolicyRule(
            new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TASK_END),
            List.of(new PolicyAction.SummarizeAction("scopes")));
    deployed =
        Optional.of(
            new CompiledConfig(
                "1.0",
                List.of(
                    Definitions.of("turns", new Retention.PersistentRetention()),
                    Definitions.of("scopes", new Retention.PersistentRetention())),
                List.of(new PolicyDefinition("tell", List.of(turn, end))),
                List.of(),
                List.of()));
    Scope scope = talked();
    assertThat(summary(scope).method()).isEqualTo(METHOD);
    Trajectory ended = run(EndTrajectory.complete(scope.trajectory(), "Done"));
    assertThat(read(ended).summary().orElseThrow().method()).isEqualTo(METHOD);
  }

  /** Deploys a policy that summarises the trajectory at every close of a scope. */
  private void tellTasks() {
    PolicyRule close =
        new PolicyRule(
            new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.SCOPE_CLOSE),
            List.of(new PolicyAction.SummarizeAction("scopes")));
    deployed =
        Optional.of(
            new CompiledConfig(
                "1.0",
                List.of(Definitions.of("scopes", new Retention.PersistentRetention())),
                List.of(new PolicyDefinition("tell", List.of(close))),
                List.of(),
                List.of()));
  }

  private Summary ofTask(Scope scope) {
    return memory.view(SPACE, view -> view.trajectory(scope.trajectory())).summary().orElseThrow();
  }

  @Test
  @DisplayName("rules replace a model's summary of a trajectory, which may contain forgotten text")
  void whatIsForgottenLeavesTheTaskToo() {
    tellTasks();
    Scope scope = talked();
    Turn secret = say(scope, "The second password is mackerel.");
    run(CloseScope.of(scope.id()));
    assertThat(ofTask(scope).method()).isEqualTo(METHOD);
    memory.forget(SPACE, ForgetRecords.of(secret.id()));
    assertThat(ofTask(scope).method()).isEqualTo(Summary.EXTRACTIVE);
    assertThat(ofTask(scope).text()).contains("cellar").doesNotContain("other words");
  }

  @Test
  @DisplayName(
      "sentences that rules took from a model's summary are removed from the trajectory's, too")
  void partsOfLostWordsGoToo() {
    String data = "The chest holds" + " one more coin".repeat(100) + " of mackerel.";
    for (String words : List.of("金庫は地下室にある。合言葉はメカジキである。", data, "Ahoy! Mackerel! Now.")) {
      told = words;
      tellTasks();
      Scope scope = scopeOf(start());
      Turn secret = say(scope, "The second password is mackerel.");
      say(scope, "We drill a hole.");
      asked.clear();
      meanwhile =
          () -> {
            if (asked.size() > 1) {
              throw new IllegalStateException("away");
            }
          };
      run(CloseScope.of(scope.id()));
      assertThat(summary(scope).method()).isEqualTo(METHOD);
      assertThat(ofTask(scope).sentences()).isNotEmpty();
      memory.forget(SPACE, ForgetRecords.of(secret.id()));
      assertThat(ofTask(scope).sentences()).isEmpty();
    }
  }

  @Test
  @DisplayName("CTX-24: past summaries of a model are deleted in the commit of the forget")
  void earlierWordsGoToo() {
    tellTasks();
    Scope scope = talked();
    Turn secret = say(scope, "The second password is mackerel.");
    run(CloseScope.of(scope.id()));
    Scope next = run(new OpenScope(scope.trajectory()));
    say(next, "We drill a hole.");
    run(CloseScope.of(next.id()));
    assertThat(before(scope)).hasSize(2);
    long commits = store.changes().head(SPACE).sequence();
    memory.forget(SPACE, ForgetRecords.of(secret.id()));
    assertThat(before(scope)).containsExactly(Optional.empty());
    assertThat(store.changes().head(SPACE).sequence()).isEqualTo(commits + 1);
    memory.forget(SPACE, ForgetRecords.of(scope.trajectory()));
    assertThat(before(scope)).isEmpty();
  }

  private List<Optional<Summary>> before(Scope scope) {
    return memory.view(
        SPACE,
        view ->
            view.summaryHistory(scope.trajectory()).stream().map(PastSummary::summary).toList());
  }

  @Test
  @DisplayName("CTX-24: the newest past summaries are kept, up to the configured number")
  void earlierSummariesAreBounded() {
    memory = Memory.of(store, keepingSummaries(2), parts());
    tellTasks();
    Scope scope = talked();
    for (int i = 0; i < 4; i++) {
      pass(Duration.ofSeconds(1));
      told = "In words of number " + i;
      run(CloseScope.of(scopeOf(scope).id()));
      say(run(new OpenScope(scope.trajectory())), "And on.");
    }
    assertThat(before(scope))
        .extracting(past -> past.orElseThrow().text())
        .containsExactly("In words of number 1", "In words of number 2");
  }

  private Scope scopeOf(Scope any) {
    return memory.view(SPACE, view -> view.currentScope(any.trajectory())).orElseThrow();
  }

  private static MemoryConfig keepingSummaries(int most) {
    return MemoryConfig.starter().with("memory.retention.max-summary-versions = " + most);
  }

  @Test
  @DisplayName("CTX-24: past summaries beyond one commit are deleted in batches")
  void retiringWhatWasToldOften() {
    Scope scope = talked();
    toldThrice(scope.id());
    toldThrice(scope.trajectory());
    Trajectory task = memory.view(SPACE, view -> view.trajectory(scope.trajectory()));
    assertThat(removed(task, 2)).isFalse();
    assertThat(removed(task, 2)).isFalse();
    assertThat(before(scope)).hasSize(3);
    assertThat(removed(task, 2)).isTrue();
    assertThat(before(scope)).isEmpty();
  }

  private void toldThrice(Id about) {
    store.commit(
        SPACE,
        transaction -> {
          for (int i = 0; i < 3; i++) {
            transaction.put(
                PastSummary.TABLE,
                new PastSummary(transaction.newId(), about, Optional.empty(), transaction.now()));
          }
        });
  }

  private boolean removed(Trajectory task, int most) {
    return store.write(
        SPACE,
        transaction ->
            new ForgetHandler(
                    new UnitOfWorkFactory(MemoryConfig.starter(), parts()).begin(transaction), most)
                .removeTrajectory(task));
  }

  @Test
  @DisplayName(
      "REC-04: rolled-back text is removed from the summary of a trajectory, and does not come back")
  void whatWasRolledBackIsNotToldAgain() {
    tellTasks();
    Scope first = talked();
    run(CloseScope.of(first.id()));
    Checkpoint point = memory.view(SPACE, view -> view.checkpoints(first.trajectory())).getFirst();
    Scope gone = run(new OpenScope(first.trajectory()));
    say(gone, "The cellar is flooded.");
    run(CloseScope.of(gone.id()));
    run(RollBackTrajectory.toCheckpoint(point));
    assertThat(ofTask(first).method()).isEqualTo(Summary.EXTRACTIVE);
    asked.clear();
    Scope next = memory.view(SPACE, view -> view.currentScope(first.trajectory())).orElseThrow();
    say(next, "We drill a hole.");
    run(CloseScope.of(next.id()));
    assertThat(asked.getLast()).extracting(Passage::source).doesNotContain(gone.id());
    assertThat(asked.getLast()).hasSize(2);
  }
}
