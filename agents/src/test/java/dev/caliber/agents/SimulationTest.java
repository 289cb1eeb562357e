package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.agents.registry.AgentsFixture;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.store.job.Jobs;
import dev.caliber.testkit.Seed;
import dev.caliber.testkit.TestEngines;
import dev.caliber.testkit.TestStrength;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leases and messages under crashes, pauses, wrong clocks and lost responses, seed by seed. */
@Tag("drill")
public final class SimulationTest {
  private static final Logger LOG = LoggerFactory.getLogger(SimulationTest.class);
  private static final int STEPS = 300;
  static final StoreConfig.JobSettings JOBS = StoreConfig.starter().jobs();
  public static final Duration INTERVAL = AgentsConfig.starter().maintenance().interval();
  private static final int SEEDS_OF_A_STORE = 100;

  @Test
  @DisplayName(
      "AGT-05, AGT-10, AGT-13, AGT-18: every invariant holds after every step of many seeds")
  void manySeeds() {
    simulate(TestStrength.choose(40, 200));
  }

  @Test
  @Tag("long")
  void tenThousandSeeds() {
    simulate(10_000);
  }

  /** Events that must have occurred, or the seeds prove nothing. */
  private static final List<String> HAPPENED =
      List.of(
          "written",
          "STALE_FENCE",
          "LEASE_NOT_ACQUIRED",
          "LEASE_EXPIRED",
          "DEADLOCK",
          "AGENT_FAILED",
          "MESSAGE_DELIVERY_FAILED",
          "message ACKNOWLEDGED",
          "message EXPIRED",
          "message DEAD",
          "work COMPLETED",
          "work REJECTED",
          "work FAILED",
          "left a queue",
          "given back",
          "handed over",
          "handoff accepted",
          "handoff ACCEPTED",
          "handoff COMPLETED",
          "HANDOFF_FAILED",
          "a node died at its jobs",
          "a look at a world in trouble",
          "a look at a world in order");

  private static void simulate(int seeds) {
    Map<String, Integer> seen = new TreeMap<>();
    for (int first = 0; first < seeds; first += SEEDS_OF_A_STORE) {
      SkewedClock clock = new SkewedClock();
      try (RecordStore store =
          Stores.open(
              StoreConfig.starter().withEngine(TestEngines.memory()),
              AgentsFixture.tables().toList(),
              clock,
              IdGenerator.of(clock.truth(), RandomSource.seeded(Seed.VALUE + first)))) {
        simulate(
            house(new NodeStore(store), clock, seen),
            Seed.VALUE + first,
            Math.min(seeds - first, SEEDS_OF_A_STORE));
      }
      LOG.info("Done: {} of {} seeds", Math.min(seeds, first + SEEDS_OF_A_STORE), seeds);
    }
    LOG.info("Seen in {} seeds: {}", seeds, seen);
    assertThat(seen.keySet()).containsAll(HAPPENED);
  }

  private static SimulatedWorld.House house(
      NodeStore store, SkewedClock clock, Map<String, Integer> seen) {
    RuntimeConfig runtime = RuntimeConfig.starter();
    MemoryConfig config = MemoryConfig.starter();
    MemoryDependencies parts =
        MemoryDependencies.minimal(clock, runtime, TokenCounter.estimate(new TokenEstimator(4)));
    Memory memory = Memory.of(store, config, parts);
    AgentsConfig hasty =
        AgentsConfig.starter()
            .with(
                "agents.messages.acknowledgement-timeout = '15s'",
                "agents.messages.max-deliveries = 2");
    ContextAssembler contexts = ContextAssembler.of(store, config, parts, TokenCounters.none());
    Agents agents =
        Agents.of(store, hasty, new AgentsDependencies(clock, runtime, memory, config, contexts));
    Jobs jobs = Jobs.of(store, JOBS, clock);
    agents.registerJobHandlers(jobs);
    return new SimulatedWorld.House(store, memory, contexts, agents, jobs, clock, seen);
  }

  private static void simulate(SimulatedWorld.House house, long first, int seeds) {
    for (long seed = first; seed < first + seeds; seed++) {
      try {
        new SimulatedWorld(house, new SpaceId("seed-" + seed), seed).run(STEPS);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("Seed " + seed + " (-Dcaliber.seed)", e);
      }
    }
  }
}
