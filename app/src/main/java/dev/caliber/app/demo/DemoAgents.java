package dev.caliber.app.demo;

import dev.caliber.agents.Agents;
import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentProfile;
import dev.caliber.agents.registry.AgentsErrorCode;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.app.shell.OpenStore;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.NewTurn;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A part of the demo: two agents lease one file, and a write with the older token is refused. */
final class DemoAgents {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final Resource REPORT = new Resource("file", "report.md");
  private static final String SESSION = "report.md";
  private static final Duration SHORT_BOUND = Duration.ofSeconds(2);

  private final DemoReporter stage;
  private final OpenStore store;
  private final Memory memory;
  private final Agents agents;

  DemoAgents(DemoReporter stage, DemoModules modules) {
    this.stage = stage;
    this.store = modules.store();
    this.memory = modules.memory();
    this.agents = modules.agents();
  }

  void run() throws InterruptedException {
    stage.beginPart("Two agents, one file: a write with an expired lease is refused");
    AgentId writer = registerAgent("writer");
    AgentId reviewer = registerAgent("reviewer");
    stage.printText(
        "'writer' acquires an exclusive lease on file/report.md; 'reviewer' waits in the queue.");
    Lease first =
        agents
            .run(SPACE, AcquireLease.exclusive(writer, REPORT).withDuration(SHORT_BOUND))
            .grantedLease()
            .orElseThrow();
    stage.check("the writer may write", tryWrite(writer, first, "The writer's text.").isEmpty());
    stage.check(
        "the reviewer has to wait",
        agents
            .run(SPACE, AcquireLease.exclusive(reviewer, REPORT).withQueueing())
            .grantedLease()
            .isEmpty());
    stage.printText(
        "'writer' pauses for too long: its lease expires, and 'reviewer' acquires the next one.");
    Lease second = awaitLease(reviewer);
    stage.check("the reviewer's token is greater", second.token() > first.token());
    stage.check(
        "the reviewer may write", tryWrite(reviewer, second, "The reviewer's text.").isEmpty());
    Optional<AgentsException> refused = tryWrite(writer, first, "The writer's late text.");
    refused.ifPresent(e -> stage.printText("  refused: " + e.toLine()));
    stage.check(
        "'writer' goes on with its old token, and its commit is refused",
        refused.filter(e -> e.code() == AgentsErrorCode.STALE_FENCE).isPresent());
    stage.check("the reviewer's text is still there", newestText().equals("The reviewer's text."));
  }

  private String newestText() {
    return memory.view(
        SPACE,
        view ->
            view.lastTurns(
                    view.currentScope(view.newestTrajectoryByExternalId(SESSION).orElseThrow().id())
                        .orElseThrow()
                        .id(),
                    1)
                .getFirst()
                .searchableText());
  }

  private AgentId registerAgent(String name) {
    return agents.run(SPACE, RegisterAgent.of(name, AgentProfile.of("demo"))).id();
  }

  private Lease awaitLease(AgentId agent) throws InterruptedException {
    Optional<Lease> lease = Optional.empty();
    while (lease.isEmpty()) {
      store.feed().await(SPACE, store.feed().head(SPACE), 1, SHORT_BOUND);
      lease =
          agents.run(SPACE, AcquireLease.exclusive(agent, REPORT).withQueueing()).grantedLease();
    }
    return lease.get();
  }

  private Optional<AgentsException> tryWrite(AgentId agent, Lease lease, String text) {
    try {
      agents.writeFenced(
          SPACE,
          agent,
          lease.fence(),
          transaction -> memory.remember(transaction, SESSION, List.of(NewTurn.assistant(text))));
      return Optional.empty();
    } catch (AgentsException e) {
      return Optional.of(e);
    }
  }
}
