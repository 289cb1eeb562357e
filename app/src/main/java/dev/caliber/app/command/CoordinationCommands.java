package dev.caliber.app.command;

import dev.caliber.agents.CoordinationStatus;
import dev.caliber.agents.command.UnregisterAgent.UnregisterAgentResult;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.mail.MessageState;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.CommandGroup;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.OperationCommand;
import dev.caliber.app.shell.RecordTable;
import dev.caliber.app.shell.Terminal;
import dev.caliber.kernel.Id;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.JsonNode;

/** The commands {@code caliber agents}, {@code leases} and {@code messages}. */
public record CoordinationCommands(CommandContext commandContext) {

  public CommandLine agents() {
    return CommandGroup.of(
        "agents",
        "Show agents, the leases they hold, and work that is stuck.",
        listAgents(),
        showStatus(),
        unregisterAgent());
  }

  public CommandLine leases() {
    return CommandGroup.of("leases", "List and revoke leases.", listLeases(), revokeLease());
  }

  public CommandLine messages() {
    return CommandGroup.of(
        "messages",
        "List messages between agents, and requeue dead letters.",
        listMessages(),
        requeueMessage());
  }

  /** An agent and its last heartbeat. */
  private record AgentOutput(Agent agent, Optional<Instant> heard) {}

  private CommandLine listAgents() {
    return OperationCommand.named(commandContext, "list", "List the agents of a space, by name.")
        .description("An agent without a heartbeat for too long is FAILED.")
        .option("--type", "TYPE", "type", "Only agents of this type.")
        .lists(
            "list_agents",
            AgentOutput.class,
            RecordTable.of(AgentOutput.class)
                .column("AGENT", line -> line.agent().id())
                .column("TYPE", line -> line.agent().type())
                .column("STATUS", line -> line.agent().status())
                .column("LAST HEARTBEAT", AgentOutput::heard)
                .column("TASK", line -> line.agent().trajectory())
                .column("REPORTS TO", line -> line.agent().profile().reportsTo()));
  }

  private CommandLine showStatus() {
    return OperationCommand.named(
            commandContext, "status", "Show leases, waiting agents, and work that is stuck.")
        .runs(
            (operations, input) -> {
              CoordinationStatus status =
                  operations.call("get_coordination_status", input, CoordinationStatus.class);
              commandContext.output().printResult(status, () -> print(status));
              return ExitCode.OK;
            });
  }

  /** A row of the table of stuck work. */
  private record StuckRow(String kind, String id, String reason, Optional<Instant> since) {}

  private void print(CoordinationStatus status) {
    Terminal terminal = commandContext.terminal();
    RecordTable.of(Lease.class)
        .column("HOLDER", Lease::holder)
        .column("RESOURCE", Lease::resource)
        .column("MODE", Lease::mode)
        .column("TOKEN", Lease::token)
        .column("UNTIL", Lease::expiresAt)
        .print(status.leases(), terminal);
    RecordTable.of(CoordinationStatus.LeaseWaiter.class)
        .column("WAITING AGENT", CoordinationStatus.LeaseWaiter::agent)
        .column("RESOURCE", CoordinationStatus.LeaseWaiter::resource)
        .column("AGENTS AHEAD", CoordinationCommands::queuedBehind)
        .column("SINCE", CoordinationStatus.LeaseWaiter::since)
        .print(status.waiters(), terminal);
    RecordTable.of(StuckRow.class)
        .column("STUCK", StuckRow::kind)
        .column("ID", StuckRow::id)
        .column("REASON", StuckRow::reason)
        .column("SINCE", StuckRow::since)
        .print(stuckRows(status).toList(), terminal);
  }

  private static Stream<StuckRow> stuckRows(CoordinationStatus status) {
    String more = "more than agents.maintenance.list-limit; the rest is not shown";
    return Stream.concat(
        status.stuck().stream()
            .map(one -> new StuckRow(one.kind(), one.id(), one.reason(), Optional.of(one.since()))),
        status.cut().stream().map(kind -> new StuckRow(kind, "", more, Optional.empty())));
  }

  private static String queuedBehind(CoordinationStatus.LeaseWaiter waiter) {
    String named = waiter.behind().stream().map(AgentId::value).collect(Collectors.joining(", "));
    return waiter.cut() ? named + " and others" : named;
  }

  /** Repeats the operation until the agent has released everything that it held. */
  private CommandLine unregisterAgent() {
    return OperationCommand.named(commandContext, "unregister", "Unregister an agent.")
        .description(
            "Refused while the agent holds a lease or has mail or open work, unless --release-all"
                + " is given. Always refused while other agents report to it.")
        .examples("  caliber agents unregister anna --release-all")
        .parameter(
            "AGENT", "agent", AgentId::new, "The agent's name, as 'caliber agents list' shows it.")
        .flag(
            "--release-all",
            "give_back",
            "Release its leases and queue entries, let its mail expire, fail its work, and reject"
                + " the requests it could accept.")
        .actor()
        .runs(
            (operations, input) -> {
              UnregisterAgentResult result;
              do {
                result = operations.call("unregister_agent", input, UnregisterAgentResult.class);
              } while (!result.complete());
              commandContext
                  .output()
                  .printResult(result, "The agent '%s' is unregistered.".formatted(result.agent()));
              return ExitCode.OK;
            });
  }

  private CommandLine listLeases() {
    return OperationCommand.named(commandContext, "list", "List the leases of a space.")
        .description("'caliber agents status' also shows the agents that wait for them.")
        .option("--holder", "AGENT", "holder", "Only leases of this agent.")
        .lists(
            "list_leases",
            Lease.class,
            RecordTable.of(Lease.class)
                .column("LEASE", Lease::id)
                .column("RESOURCE", Lease::resource)
                .column("HOLDER", Lease::holder)
                .column("MODE", Lease::mode)
                .column("TOKEN", Lease::token)
                .column("UNTIL", Lease::expiresAt));
  }

  private CommandLine revokeLease() {
    return OperationCommand.named(commandContext, "revoke", "Revoke a lease.")
        .description(
            "The holder's writes under it are refused from now on; the next agent in the queue gets"
                + " the lease.")
        .examples("  caliber leases revoke 01JD0000000000000000000000 --actor alice")
        .parameter("LEASE", "id", Id::parse, "The lease's id, as 'caliber leases list' shows it.")
        .actor()
        .prints(
            "revoke_lease",
            Lease.class,
            lease -> "'%s' no longer holds %s.".formatted(lease.holder(), lease.resource()));
  }

  private CommandLine listMessages() {
    OptionSpec state =
        OptionSpec.builder("--state")
            .type(MessageState.class)
            .paramLabel("STATE")
            .defaultValue(MessageState.PENDING.name())
            .description(
                "PENDING, DELIVERED, ACKNOWLEDGED, EXPIRED or DEAD. Default: PENDING, messages not yet delivered.")
            .build();
    return OperationCommand.named(
            commandContext, "list", "List the messages of a space in one state, oldest first.")
        .description("Without their content, which is private to the agents.")
        .examples(
            "  caliber messages list                  messages not yet delivered",
            "  caliber messages list --state dead     dead letters, for 'caliber messages requeue'")
        .argument(state, "state")
        .lists(
            "list_messages",
            JsonNode.class,
            MessageSummary::of,
            RecordTable.of(MessageSummary.class)
                .column("MESSAGE", MessageSummary::id)
                .column("FROM", MessageSummary::from)
                .column("TO", MessageSummary::to)
                .column("TYPE", MessageSummary::type)
                .column("PRIORITY", MessageSummary::priority)
                .column("STATE", MessageSummary::state)
                .column("ATTEMPTS", MessageSummary::attempts)
                .column("SENT", MessageSummary::sentAt));
  }

  private CommandLine requeueMessage() {
    return OperationCommand.named(
            commandContext,
            "requeue",
            "Put a dead letter back into its inbox, with new delivery attempts and a new time"
                + " limit.")
        .parameter(
            "MESSAGE",
            "id",
            Id::parse,
            "The message's id, as 'caliber messages list --state dead' shows it.")
        .actor()
        .prints(
            "requeue_message",
            JsonNode.class,
            MessageSummary::of,
            message -> "The message waits for %s again.".formatted(message.to()));
  }
}
