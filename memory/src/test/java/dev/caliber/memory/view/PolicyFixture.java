package dev.caliber.memory.view;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.Cron;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.Definitions;
import dev.caliber.memory.MemoryFixture;
import dev.caliber.memory.event.Notice;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.job.Jobs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Memory with policies that a test deploys. */
public abstract class PolicyFixture extends MemoryFixture {
  public static final String TURNS = "turn_buffer";
  public static final String SCOPES = "scopes";
  public static final String ARTIFACTS = "artifacts";
  public static final String NOTES = "notes";
  public static final Trigger NIGHTLY = new Trigger.ScheduleTrigger(Cron.parse("30 4 * * *"));

  public Optional<CompiledConfig> deployed = Optional.empty();

  /** Batches so small that a few records need several. */
  @Override
  public MemoryConfig config(MemoryConfig starter) {
    return starter.with("memory.retention.batch = 2");
  }

  @Override
  public MemoryDependencies parts() {
    return super.parts().withDeployedConfigs(_ -> deployed);
  }

  public void deploy(Retention turns, PolicyDefinition... policies) {
    deployed =
        Optional.of(
            new CompiledConfig(
                "1.0",
                List.of(
                    Definitions.of(TURNS, MemoryType.EPHEMERAL, turns),
                    Definitions.of(SCOPES, MemoryType.WORKING, new Retention.PersistentRetention()),
                    Definitions.of(
                        ARTIFACTS, MemoryType.EPISODIC, new Retention.PersistentRetention()),
                    Definitions.of(
                        NOTES, MemoryType.SEMANTIC, new Retention.PersistentRetention())),
                List.of(policies),
                List.of(),
                List.of()));
  }

  public void deploy(Trigger trigger, PolicyAction... actions) {
    deploy(new Retention.PersistentRetention(), policy("tidy", trigger, actions));
  }

  public static PolicyDefinition policy(String name, Trigger trigger, PolicyAction... actions) {
    return new PolicyDefinition(name, List.of(new PolicyRule(trigger, List.of(actions))));
  }

  public static Trigger on(Trigger.TrajectoryTriggerEvent trajectoryTriggerEvent) {
    return new Trigger.EventTrigger(trajectoryTriggerEvent);
  }

  public static PolicyAction notify(String channel) {
    return new PolicyAction.NotifyAction(channel);
  }

  public List<String> heard() {
    return all(Notice.TABLE).stream()
        .map(Notice::channel)
        .filter(channel -> channel.startsWith("caliber_my"))
        .toList();
  }

  public <T> List<T> all(Table<T> table) {
    return store.read(SPACE, snapshot -> snapshot.scan(Query.over(table), 1000)).records();
  }

  public Jobs jobs() {
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    memory.registerJobHandlers(jobs);
    return jobs;
  }

  /** Moves the clock past half past four and runs all due jobs. */
  public void passTheNight() {
    Jobs jobs = jobs();
    memory.scheduleJobs(SPACE);
    pass(Duration.ofHours(4).plusMinutes(30));
    for (int round = 0; round < 3; round++) {
      jobs.runDue(SPACE);
    }
  }
}
