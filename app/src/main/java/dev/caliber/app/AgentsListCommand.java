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
    description = "One that has not been heard of for too long has failed.")
final class AgentsListCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Option(names = "--type", paramLabel = "TYPE", description = "Only agents of this type.")
  private Optional<String> type = Optional.empty();

  AgentsListCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  /** An agent and when it was last heard of. */
  private record Line(Agent agent, Optional<Instant> heard) {}

  @Override
  public Integer call() {
    List<Line> lines = workbench.ask(this::ask, this::read);
    workbench.output().results(lines, () -> print(lines));
    return ExitCode.OK.number();
  }

  private List<Line> ask(Remote remote) {
    String only = type.map(name -> "?type=" + CaliberClient.encoded(name)).orElse("");
    return remote.list("/agents" + only, Line.class);
  }

  private List<Line> read() {
    try (OpenStore store = workbench.open()) {
      return store
          .records()
          .read(
              workbench.space(),
              snapshot -> lines(AgentsView.of(snapshot, workbench.rooms().agents())));
    }
  }

  private List<Line> lines(AgentsView view) {
    return type.map(view::agentsOfType).orElseGet(view::agents).stream()
        .map(agent -> new Line(agent, view.lastHeartbeat(agent.id())))
        .toList();
  }

  private void print(List<Line> lines) {
    TextTable table = TextTable.of("AGENT", "TYPE", "STATUS", "HEARD OF", "TASK", "REPORTS TO");
    for (Line line : lines) {
      Agent agent = line.agent();
      table.row(
          agent.id().value(),
          agent.type(),
          agent.status().name(),
          line.heard().map(Timestamps::format).orElse(""),
          agent.trajectory().map(Object::toString).orElse(""),
          agent.profile().reportsTo().map(AgentId::value).orElse(""));
    }
    workbench.output().table(table);
  }
}
