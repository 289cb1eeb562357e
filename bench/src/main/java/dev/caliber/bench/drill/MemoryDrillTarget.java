package dev.caliber.bench.drill;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.PruneCriteria;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.Memory;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.view.DeployedConfigs;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.testkit.TestEngines;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The drill's store, in a form that fits on a command line, and its deployed policies. */
record MemoryDrillTarget(String engine, String place, String schema) {
  static final SpaceId SPACE = SpaceId.DEFAULT;
  static final String CLOSED = "drill_closed";
  static final String PRUNED = "drill_pruned";
  static final String ENDED = "drill_ended";

  private static final String SQLITE = "sqlite";
  private static final String TURNS = "turns";
  private static final String SCOPES = "scopes";
  private static final int BYTES_PER_TOKEN = 4;

  /** Artifacts per commit of a consolidation, small enough that it takes several. */
  static final int PORTION = 3;

  static MemoryDrillTarget sqlite(Path directory) {
    return new MemoryDrillTarget(SQLITE, directory.toString(), "-");
  }

  static MemoryDrillTarget postgres(StoreConfig.PostgresSettings server) {
    return new MemoryDrillTarget("postgres", server.url(), server.schema());
  }

  static MemoryDrillTarget parse(String[] arguments) {
    return new MemoryDrillTarget(arguments[0], arguments[1], arguments[2]);
  }

  List<String> arguments() {
    return List.of(engine, place, schema);
  }

  /** Writes have a minute: a drill counts what a kill leaves, not how long a busy machine takes. */
  StoreConfig config() {
    return StoreConfig.starter().withEngine(engineConfig()).with("store.writes.time-limit = '1m'");
  }

  RecordStore open(Clock clock) {
    return Stores.open(
        config(), Memory.tables(), clock, IdGenerator.of(clock, RandomSource.system()));
  }

  private StoreConfig.EngineSettings engineConfig() {
    if (engine.equals(SQLITE)) {
      return TestEngines.sqlite(Path.of(place));
    }
    StoreConfig.PostgresSettings like = TestEngines.postgres(place);
    return new StoreConfig.PostgresSettings(
        place,
        Optional.empty(),
        Optional.empty(),
        schema,
        like.writeConnections(),
        like.connectTimeout(),
        like.statementTimeout(),
        like.notifyInterval());
  }

  static Memory openMemory(RecordStore store, Clock clock, DeployedConfigs policies) {
    return Memory.of(
        store,
        MemoryConfig.starter().with("memory.consolidation.batch = " + PORTION),
        memoryParts(clock).withDeployedConfigs(policies));
  }

  static MemoryDependencies memoryParts(Clock clock) {
    TokenCounter counter = TokenCounter.estimate(new TokenEstimator(BYTES_PER_TOKEN));
    return MemoryDependencies.minimal(clock, RuntimeConfig.starter(), counter);
  }

  /** Returns policies for every step of a close that could be repeated or missing. */
  static CompiledConfig deployedConfig() {
    return new CompiledConfig(
        "1.0",
        List.of(memoryDefinition(TURNS), memoryDefinition(SCOPES)),
        List.of(
            new PolicyDefinition(
                "drill",
                List.of(
                    new PolicyRule(
                        new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.SCOPE_CLOSE),
                        List.of(
                            new PolicyAction.SummarizeAction(TURNS),
                            new PolicyAction.ExtractArtifactsAction(TURNS),
                            new PolicyAction.CheckpointAction(SCOPES),
                            new PolicyAction.NotifyAction(CLOSED),
                            new PolicyAction.PruneAction(
                                TURNS, new PruneCriteria.AgeCriteria(Duration.ZERO)),
                            new PolicyAction.NotifyAction(PRUNED))),
                    new PolicyRule(
                        new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TASK_END),
                        List.of(
                            new PolicyAction.SummarizeAction(SCOPES),
                            new PolicyAction.NotifyAction(ENDED)))))),
        List.of(),
        List.of());
  }

  private static MemoryDefinition memoryDefinition(String name) {
    return new MemoryDefinition(
        name,
        MemoryType.EPHEMERAL,
        List.of(),
        new Retention.PersistentRetention(),
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of());
  }
}
