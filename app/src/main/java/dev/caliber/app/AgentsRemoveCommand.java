package dev.caliber.app;

import dev.caliber.agents.AgentId;
import dev.caliber.agents.Agents;
import dev.caliber.agents.UnregisterAgent;
import dev.caliber.client.CaliberClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber agents remove}. */
@Command(
    name = "remove",
    header = "Take an agent out of the registry.",
    description =
        "One that holds a lease, has mail or open work is refused, unless it is given back; so is"
            + " one that others report to.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber agents remove anna --give-back")
final class AgentsRemoveCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "AGENT", description = "Its name, as 'caliber agents list' shows it.")
  private String agent = "";

  @Option(
      names = "--give-back",
      description =
          "End its leases and places, let its mail expire, fail its work, and reject what it could"
              + " accept.")
  private boolean giveBack;

  @Mixin private ByOption by = new ByOption();

  AgentsRemoveCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    AgentId id = new AgentId(agent);
    UnregisterAgent.Gone gone = workbench.ask(remote -> remove(remote, id), () -> remove(id));
    workbench.output().result(gone, "'%s' is gone.".formatted(gone.agent()));
    return ExitCode.OK.number();
  }

  /** Asks until everything is given back. */
  private UnregisterAgent.Gone remove(Remote remote, AgentId id) {
    String path = "/agents/%s/unregister".formatted(CaliberClient.encoded(id.value()));
    UnregisterAgent.Gone gone;
    do {
      gone =
          remote.post(path, Remote.input().put("give_back", giveBack), UnregisterAgent.Gone.class);
    } while (!gone.complete());
    return gone;
  }

  private UnregisterAgent.Gone remove(AgentId id) {
    UnregisterAgent wish = new UnregisterAgent(id, giveBack, by.name(workbench.surroundings()));
    try (OpenContext context = OpenContext.of(workbench, false)) {
      Agents agents = context.agents(workbench);
      UnregisterAgent.Gone gone;
      do {
        gone = agents.run(workbench.space(), wish);
      } while (!gone.complete());
      return gone;
    }
  }
}
