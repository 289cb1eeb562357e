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

/** {@code caliber agents unregister}. */
@Command(
    name = "unregister",
    header = "Unregister an agent.",
    description =
        "Refused while the agent holds a lease or has mail or open work, unless --release-all is"
            + " given. Always refused while other agents report to it.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber agents unregister anna --release-all")
final class AgentsUnregisterCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(
      paramLabel = "AGENT",
      description = "The agent's name, as 'caliber agents list' shows it.")
  private String agent = "";

  @Option(
      names = "--release-all",
      description =
          "Release its leases and queue entries, let its mail expire, fail its work, and reject the"
              + " requests it could accept.")
  private boolean giveBack;

  @Mixin private ActorNameOption by = new ActorNameOption();

  AgentsUnregisterCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    AgentId id = new AgentId(agent);
    UnregisterAgent.UnregisterAgentResult unregisterAgentResult =
        commandContext.askServerOrStore(
            serverClient -> unregister(serverClient, id), () -> unregister(id));
    commandContext
        .output()
        .printResult(
            unregisterAgentResult,
            "The agent '%s' is unregistered.".formatted(unregisterAgentResult.agent()));
    return ExitCode.OK.number();
  }

  /** Repeats the request until the server has released everything that the agent held. */
  private UnregisterAgent.UnregisterAgentResult unregister(ServerClient serverClient, AgentId id) {
    String path = "/agents/%s/unregister".formatted(CaliberClient.encodePathSegment(id.value()));
    UnregisterAgent.UnregisterAgentResult unregisterAgentResult;
    do {
      unregisterAgentResult =
          serverClient.post(
              path,
              ServerClient.newInput().put("give_back", giveBack),
              UnregisterAgent.UnregisterAgentResult.class);
    } while (!unregisterAgentResult.complete());
    return unregisterAgentResult;
  }

  private UnregisterAgent.UnregisterAgentResult unregister(AgentId id) {
    UnregisterAgent request =
        new UnregisterAgent(id, giveBack, by.name(commandContext.environment()));
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, false)) {
      Agents agents = context.agents(commandContext);
      UnregisterAgent.UnregisterAgentResult unregisterAgentResult;
      do {
        unregisterAgentResult = agents.run(commandContext.space(), request);
      } while (!unregisterAgentResult.complete());
      return unregisterAgentResult;
    }
  }
}
