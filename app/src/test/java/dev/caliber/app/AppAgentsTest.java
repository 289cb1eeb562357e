package dev.caliber.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.AgentsDependencies;
import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.command.TransitionAgent;
import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentProfile;
import dev.caliber.agents.registry.AgentStatus;
import dev.caliber.app.shell.Shell;
import dev.caliber.app.shell.Shell.Ran;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.Json;
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
import dev.caliber.server.Wiring;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.testkit.ManualClock;
import dev.caliber.testkit.TestEngines;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests of {@code caliber agents}. */
class AppAgentsTest {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final Resource FILE = new Resource("file", "report.md");

  @TempDir Path directory;

  @BeforeEach
  void workTogether() {
    ManualClock clock = new ManualClock();
    StoreConfig config =
        StoreConfig.starter().withEngine(TestEngines.sqlite(directory.resolve("data")));
    try (RecordStore store =
        Stores.open(
            config, Wiring.tables(), clock, IdGenerator.of(clock, RandomSource.seeded(7)))) {
      Agents agents = agents(store, clock);
      AgentId writer =
          agents.run(SPACE, RegisterAgent.of("writer", AgentProfile.of("author"))).id();
      AgentId reviewer =
          agents
              .run(
                  SPACE,
                  RegisterAgent.of("reviewer", AgentProfile.of("critic").withSuperior(writer)))
              .id();
      agents.run(SPACE, AcquireLease.exclusive(writer, FILE));
      agents.run(SPACE, AcquireLease.exclusive(reviewer, FILE).withQueueing());
      agents.run(SPACE, RegisterAgent.of("printer", AgentProfile.of("author")));
      agents.run(
          SPACE, new TransitionAgent(new AgentId("printer"), AgentStatus.AgentTransition.FAIL));
    }
  }

  private static Agents agents(RecordStore store, ManualClock clock) {
    RuntimeConfig runtime = RuntimeConfig.starter();
    MemoryConfig config = MemoryConfig.starter();
    MemoryDependencies parts =
        MemoryDependencies.minimal(clock, runtime, TokenCounter.estimate(new TokenEstimator(4)));
    return Agents.of(
        store,
        AgentsConfig.starter(),
        new AgentsDependencies(
            clock,
            runtime,
            Memory.of(store, config, parts),
            config,
            ContextAssembler.of(store, config, parts, TokenCounters.none())));
  }

  private String ok(String... args) {
    Ran ran = new Shell(directory).run(args);
    assertThat(ran.code()).as(ran.toString()).isZero();
    return ran.out();
  }

  private String data() {
    return directory.resolve("data").toString();
  }

  @Test
  void agentsAreListed() {
    assertThat(ok("agents", "list", "--data", data()).lines().toList())
        .satisfiesExactly(
            heading -> assertThat(heading).contains("AGENT", "STATUS", "REPORTS TO"),
            printer -> assertThat(printer).contains("printer", "author", "FAILED"),
            reviewer -> assertThat(reviewer).contains("reviewer", "critic", "IDLE", "writer"),
            writer -> assertThat(writer).contains("writer", "author", "IDLE"));
    assertThat(ok("agents", "list", "--type", "critic", "--data", data()))
        .contains("reviewer")
        .doesNotContain("printer");
    assertThat(ok("agents", "list", "--json", "--data", data()).lines()).hasSize(3);
  }

  @Test
  void whoHoldsWhatAndWhoWaitsForWhom() {
    assertThat(ok("agents", "status", "--data", data()))
        .containsSubsequence("HOLDER", "writer", "file/report.md", "EXCLUSIVE")
        .containsSubsequence("WAITING AGENT", "reviewer", "file/report.md", "writer")
        .containsSubsequence("STUCK", "agent", "printer", "failed");
    JsonNode standing =
        Json.read(ok("agents", "status", "--json", "--data", data()), JsonNode.class);
    assertThat(standing.get("leases").size()).isEqualTo(1);
    assertThat(standing.get("waiters").get(0).get("behind").get(0).asString()).isEqualTo("writer");
  }
}
