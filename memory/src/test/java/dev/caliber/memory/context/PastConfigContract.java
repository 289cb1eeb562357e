package dev.caliber.memory.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.deployment.AuditStamp;
import dev.caliber.memory.deployment.ConfigDeployment;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.StoredConfig;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.DeployedConfigs;
import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.EngineKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Windows of the past, by the configuration deployed then. */
@EachEngine({EngineKind.SQLITE, EngineKind.POSTGRES})
class PastConfigContract extends ContextFixture {
  private static final AuditStamp STAMP = AuditStamp.of("ada");

  @Override
  DeployedConfigs policies() {
    Deployments deployments = Deployments.of(store);
    return DeployedConfigs.of(
        snapshot -> deployments.activeVersion(snapshot).map(StoredConfig::config),
        (snapshot, time) -> deployments.activeVersion(snapshot, time).map(StoredConfig::config));
  }

  private Trajectory tell() {
    Trajectory task = start();
    say(scopeOf(task), "What do they like?");
    learn("alice", "Alice likes trains.");
    learn("bob", "Bob likes ships.");
    return task;
  }

  /** Deploys a configuration from now on. */
  private void activate(CompiledConfig config) {
    Deployments deployments = Deployments.of(store);
    StoredConfig stored =
        deployments
            .deploy(SPACE, new ConfigDeployment("main", "", "{}", config, Optional.empty(), STAMP))
            .config();
    deployments.activate(
        SPACE, new Deployments.ConfigActivation(stored.name(), stored.version(), STAMP));
  }

  private CompiledConfig showing(String memory, int notes) {
    deploy(rule(memory, new InjectionMode.TopKInjection(notes), 50, 4000));
    return deployed.orElseThrow();
  }

  private record Then(Instant time, AssembledWindow made) {}

  /** Returns the window of this moment, and advances the clock. */
  private Then now(Trajectory task) {
    clock.advance(Duration.ofMinutes(1));
    Then then = new Then(clock.instant(), assemble(AssembleRequest.of(task.id()).withDryRun()));
    clock.advance(Duration.ofMinutes(1));
    return then;
  }

  private void isSeenAgain(Trajectory task, Then then) {
    AssembledWindow again =
        assemble(AssembleRequest.of(task.id()).withAsOf(then.time).withDryRun());
    assertThat(again.text()).isEqualTo(then.made.text());
    assertThat(again.window().inputs().configuration())
        .isEqualTo(then.made.window().inputs().configuration());
  }

  @Test
  @DisplayName("CTX-24, PACK-30: a window as of a time is made by what was deployed then")
  void thatOfThen() {
    Trajectory task = tell();
    Then before = now(task);
    activate(showing("facts", 1));
    Then first = now(task);
    activate(showing("knowledge", 2));
    Then second = now(task);
    Deployments.of(store).rollback(SPACE, new Deployments.ConfigRollback(Optional.empty(), STAMP));
    Then back = now(task);
    assertThat(first.made.text()).contains("## facts").isEqualTo(back.made.text());
    assertThat(second.made.text()).contains("## knowledge").isNotEqualTo(before.made.text());
    List.of(before, first, second, back).forEach(then -> isSeenAgain(task, then));
  }

  @Test
  @DisplayName("CTX-24, CTX-22: a window as of a time has what policies had injected by then")
  void whatWasInjected() {
    PolicyRule inject =
        new PolicyRule(
            new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TASK_END),
            List.of(new PolicyAction.InjectAction("facts", new InjectionMode.TopKInjection(1))));
    activate(
        new CompiledConfig(
            "1.0",
            List.of(memory("facts", MemoryType.SEMANTIC)),
            List.of(new PolicyDefinition("inject", List.of(inject))),
            List.of(),
            List.of()));
    Trajectory task = tell();
    Then before = now(task);
    memory.run(SPACE, RunPolicy.forTrajectory(task.id(), "inject", "first"));
    Then after = now(task);
    memory.run(SPACE, RunPolicy.forTrajectory(task.id(), "inject", "second"));
    Then again = now(task);
    assertThat(before.made.text()).doesNotContain("## facts");
    assertThat(after.made.text()).contains("## facts").isEqualTo(again.made.text());
    List.of(before, after, again).forEach(then -> isSeenAgain(task, then));
  }
}
