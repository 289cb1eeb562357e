package dev.caliber.app;

import dev.caliber.agents.Agent;
import dev.caliber.agents.AgentId;
import dev.caliber.agents.AgentsView;
import dev.caliber.client.CaliberClient;
import dev.caliber.kernel.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code caliber agents list}. */
@Command(
    name = "list",
    header = "List the agents of a space, by name.",
    description = "An agent without a heartbeat for too long is FAILED.")
final class AgentsListCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Option(names = "--type", paramLabel = "TYPE", description = "Only agents of this type.")
  private Optional<String> type = Optional.empty();

  AgentsListCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  /** An agent and its last heartbeat. */
  private record AgentOutput(Agent agent, Optional<Instant> heard) {}

  @Override
  public Integer call() {
    List<AgentOutput> lines = commandContext.askServerOrStore(this::askServer, this::readStore);
    commandContext.output().printResults(lines, () -> print(lines));
    return ExitCode.OK.number();
  }

  private List<AgentOutput> askServer(ServerClient serverClient) {
    String only = type.map(name -> "?type=" + CaliberClient.encodePathSegment(name)).orElse("");
    return serverClient.list("/agents" + only, AgentOutput.class);
  }

  private List<AgentOutput> readStore() {
    try (OpenStore store = commandContext.open()) {
      return store
          .records()
          .read(
              commandContext.space(),
              snapshot -> agentRows(AgentsView.of(snapshot, commandContext.configs().agents())));
    }
  }

  private List<AgentOutput> agentRows(AgentsView view) {
    return type.map(view::agentsOfType).orElseGet(view::agents).stream()
        .map(agent -> new AgentOutput(agent, view.lastHeartbeat(agent.id())))
        .toList();
  }

  private void print(List<AgentOutput> lines) {
    TextTable table =
        TextTable.of("AGENT", "TYPE", "STATUS", "LAST HEARTBEAT", "TASK", "REPORTS TO");
    for (AgentOutput agentOutput : lines) {
      Agent agent = agentOutput.agent();
      table.addRow(
          agent.id().value(),
          agent.type(),
          agent.status().name(),
          agentOutput.heard().map(Timestamps::format).orElse(""),
          agent.trajectory().map(Object::toString).orElse(""),
          agent.profile().reportsTo().map(AgentId::value).orElse(""));
    }
    commandContext.output().printTable(table);
  }
}
