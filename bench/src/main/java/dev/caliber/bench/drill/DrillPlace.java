package dev.caliber.bench.drill;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimate;
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
import dev.caliber.memory.DeployedConfigs;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where the drill's store is, in a form that fits on a command line, and what is deployed there.
 */
record DrillPlace(String engine, String place, String schema) {
  static final SpaceId SPACE = SpaceId.DEFAULT;
  static final String CLOSED = "drill_closed";
  static final String PRUNED = "drill_pruned";
  static final String ENDED = "drill_ended";

  private static final String SQLITE = "sqlite";
  private static final String TURNS = "turns";
  private static final String SCOPES = "scopes";
  private static final int BYTES_PER_TOKEN = 4;

  /** How many artifacts one commit of consolidation looks at, so that it takes several. */
  static final int PORTION = 3;

  static DrillPlace sqlite(Path directory) {
    return new DrillPlace(SQLITE, directory.toString(), "-");
  }

  static DrillPlace postgres(StoreConfig.Postgres server) {
    return new DrillPlace("postgres", server.url(), server.schema());
  }

  static DrillPlace of(String[] arguments) {
    return new DrillPlace(arguments[0], arguments[1], arguments[2]);
  }

  List<String> arguments() {
    return List.of(engine, place, schema);
  }

  StoreConfig config() {
    return StoreConfig.starter().withEngine(engineConfig());
  }

  RecordStore open(Clock clock) {
    return RecordStore.open(config(), Memory.tables(), clock, Ids.of(clock, Chance.system()));
  }

  private StoreConfig.EngineConfig engineConfig() {
    if (engine.equals(SQLITE)) {
      return Engines.sqlite(Path.of(place));
    }
    StoreConfig.Postgres like = Engines.postgres(place);
    return new StoreConfig.Postgres(
        place,
        Optional.empty(),
        Optional.empty(),
        schema,
        like.writers(),
        like.connectTimeout(),
        like.answerTimeout(),
        like.notifyInterval());
  }

  static Memory memory(RecordStore store, Clock clock, DeployedConfigs policies) {
    MemoryConfig starter = MemoryConfig.starter();
    return Memory.of(
        store,
        starter.withNotes(starter.notes().with(starter.notes().consolidation().withBatch(PORTION))),
        parts(clock).withPolicies(policies));
  }

  static MemoryParts parts(Clock clock) {
    TokenCounter counter = TokenCounter.estimate(new TokenEstimate(BYTES_PER_TOKEN));
    return MemoryParts.plain(clock, RuntimeConfig.starter(), counter);
  }

  /** Every step of a close that can be done twice or be missing, and two words that say so. */
  static CompiledConfig deployed() {
    return new CompiledConfig(
        "1.0",
        List.of(memory(TURNS), memory(SCOPES)),
        List.of(
            new PolicyDefinition(
                "drill",
                List.of(
                    new PolicyRule(
                        new Trigger.On(Trigger.Event.SCOPE_CLOSE),
                        List.of(
                            new PolicyAction.Summarize(TURNS),
                            new PolicyAction.ExtractArtifacts(TURNS),
                            new PolicyAction.Checkpoint(SCOPES),
                            new PolicyAction.Notify(CLOSED),
                            new PolicyAction.Prune(
                                TURNS, new PruneCriteria.OlderThan(Duration.ZERO)),
                            new PolicyAction.Notify(PRUNED))),
                    new PolicyRule(
                        new Trigger.On(Trigger.Event.TASK_END),
                        List.of(
                            new PolicyAction.Summarize(SCOPES), new PolicyAction.Notify(ENDED)))))),
        List.of(),
        List.of());
  }

  private static MemoryDefinition memory(String name) {
    return new MemoryDefinition(
        name,
        MemoryType.EPHEMERAL,
        List.of(),
        new Retention.Persistent(),
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of());
  }
}
