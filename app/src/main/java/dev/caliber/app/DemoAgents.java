package dev.caliber.app;

import dev.caliber.agents.AcquireLease;
import dev.caliber.agents.AgentId;
import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.AgentsErrorCode;
import dev.caliber.agents.AgentsException;
import dev.caliber.agents.AgentsParts;
import dev.caliber.agents.Lease;
import dev.caliber.agents.Profile;
import dev.caliber.agents.RegisterAgent;
import dev.caliber.agents.Resource;
import dev.caliber.app.DemoTables.Note;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import java.time.Duration;
import java.util.Optional;

/** The demo's part about agents: two take turns at a file, and the one that is late is refused. */
final class DemoAgents {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final Resource REPORT = new Resource("file", "report.md");
  private static final String NOTE = "report";
  private static final Duration SHORT_BOUND = Duration.ofSeconds(2);

  private final DemoStage stage;
  private final OpenStore store;
  private final Agents agents;

  DemoAgents(DemoStage stage, Workbench workbench, OpenStore store) {
    this.stage = stage;
    this.store = store;
    this.agents = agents(workbench, store);
  }

  private static Agents agents(Workbench workbench, OpenStore store) {
    RuntimeConfig runtime = RuntimeConfig.starter();
    MemoryConfig config = MemoryConfig.starter();
    MemoryParts parts =
        MemoryParts.plain(
            workbench.surroundings().clock(),
            runtime,
            TokenCounter.estimate(new TokenEstimate(runtime.context().bytesPerToken())));
    return Agents.of(
        store.records(),
        AgentsConfig.starter(),
        new AgentsParts(
            workbench.surroundings().clock(),
            runtime,
            Memory.of(store.records(), config, parts),
            config,
            ContextAssembler.of(store.records(), config, parts, TokenCounters.none())));
  }

  void run() throws InterruptedException {
    stage.part("Two agents, one file: whoever has lost its turn is refused");
    AgentId writer = agent("writer");
    AgentId reviewer = agent("reviewer");
    stage.say("'writer' takes the file for a moment; 'reviewer' stands in the queue.");
    Lease first =
        agents
            .run(SPACE, AcquireLease.exclusive(writer, REPORT).lasting(SHORT_BOUND))
            .granted()
            .orElseThrow();
    stage.check("the writer may write", refusal(writer, first, "The writer's text.").isEmpty());
    stage.check(
        "the reviewer has to wait",
        agents.run(SPACE, AcquireLease.exclusive(reviewer, REPORT).waiting()).granted().isEmpty());
    stage.say("'writer' falls asleep, its lease ends, and the file goes to 'reviewer'.");
    Lease second = awaitTurn(reviewer);
    stage.check("the reviewer's token is greater", second.token() > first.token());
    stage.check(
        "the reviewer may write", refusal(reviewer, second, "The reviewer's text.").isEmpty());
    Optional<AgentsException> refused = refusal(writer, first, "What the writer meant to say.");
    refused.ifPresent(e -> stage.say("  refused: " + e.report()));
    stage.check(
        "'writer' wakes up and writes as if nothing had happened: its commit is refused",
        refused.filter(e -> e.code() == AgentsErrorCode.STALE_FENCE).isPresent());
    Note now = store.records().read(SPACE, snapshot -> snapshot.get(DemoTables.NOTES, NOTE));
    stage.check("the reviewer's text is still there", now.text().equals("The reviewer's text."));
  }

  private AgentId agent(String name) {
    return agents.run(SPACE, RegisterAgent.of(name, Profile.of("demo"))).id();
  }

  private Lease awaitTurn(AgentId agent) throws InterruptedException {
    Optional<Lease> lease = Optional.empty();
    while (lease.isEmpty()) {
      store.feed().await(SPACE, store.feed().head(SPACE), 1, SHORT_BOUND);
      lease = agents.run(SPACE, AcquireLease.exclusive(agent, REPORT).waiting()).granted();
    }
    return lease.get();
  }

  private Optional<AgentsException> refusal(AgentId agent, Lease lease, String text) {
    try {
      agents.write(
          SPACE,
          agent,
          lease.fence(),
          transaction -> {
            transaction.put(DemoTables.NOTES, new Note(NOTE, text));
            return true;
          });
      return Optional.empty();
    } catch (AgentsException e) {
      return Optional.of(e);
    }
  }
}
