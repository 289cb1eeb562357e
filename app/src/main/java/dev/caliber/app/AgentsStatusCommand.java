package dev.caliber.app;

import dev.caliber.agents.AgentId;
import dev.caliber.agents.AgentsView;
import dev.caliber.agents.CoordinationStatus;
import dev.caliber.agents.Lease;
import dev.caliber.kernel.Timestamps;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code caliber agents status}. */
@Command(name = "status", header = "Show leases, waiting agents, and work that is stuck.")
final class AgentsStatusCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  AgentsStatusCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    CoordinationStatus coordinationStatus =
        commandContext.askServerOrStore(
            serverClient -> serverClient.get("/coordination/status", CoordinationStatus.class),
            this::read);
    commandContext.output().printResult(coordinationStatus, () -> print(coordinationStatus));
    return ExitCode.OK.number();
  }

  private CoordinationStatus read() {
    Instant now = commandContext.environment().clock().instant();
    try (OpenStore store = commandContext.open()) {
      return store
          .records()
          .read(
              commandContext.space(),
              snapshot ->
                  AgentsView.of(snapshot, commandContext.configs().agents())
                      .coordinationStatus(now));
    }
  }

  private void print(CoordinationStatus coordinationStatus) {
    TextTable held = TextTable.of("HOLDER", "RESOURCE", "MODE", "TOKEN", "UNTIL");
    for (Lease lease : coordinationStatus.leases()) {
      held.addRow(
          lease.holder().value(),
          lease.resource().toString(),
          lease.mode().name(),
          CommandOutput.formatNumber(lease.token()),
          Timestamps.format(lease.expiresAt()));
    }
    commandContext.output().printTable(held);
    TextTable waits = TextTable.of("WAITING AGENT", "RESOURCE", "AGENTS AHEAD", "SINCE");
    for (CoordinationStatus.LeaseWaiter leaseWaiter : coordinationStatus.waiters()) {
      waits.addRow(
          leaseWaiter.agent().value(),
          leaseWaiter.resource().toString(),
          queuedBehind(leaseWaiter),
          Timestamps.format(leaseWaiter.since()));
    }
    commandContext.output().printTable(waits);
    TextTable stuck = TextTable.of("STUCK", "ID", "REASON", "SINCE");
    for (CoordinationStatus.StuckItem one : coordinationStatus.stuck()) {
      stuck.addRow(one.kind(), one.id(), one.reason(), Timestamps.format(one.since()));
    }
    for (String kind : coordinationStatus.cut()) {
      stuck.addRow(kind, "", "more than agents.maintenance.list-limit; the rest is not shown", "");
    }
    commandContext.output().printTable(stuck);
  }

  private static String queuedBehind(CoordinationStatus.LeaseWaiter leaseWaiter) {
    String named =
        leaseWaiter.behind().stream().map(AgentId::value).collect(Collectors.joining(", "));
    return leaseWaiter.cut() ? named + " and others" : named;
  }
}
