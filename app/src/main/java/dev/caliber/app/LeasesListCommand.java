package dev.caliber.app;

import dev.caliber.agents.AgentsView;
import dev.caliber.agents.Lease;
import dev.caliber.client.CaliberClient;
import dev.caliber.kernel.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code caliber leases list}. */
@Command(
    name = "list",
    header = "List the leases of a space.",
    description = "'caliber agents status' also shows the agents that wait for them.")
final class LeasesListCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Option(names = "--holder", paramLabel = "AGENT", description = "Only leases of this agent.")
  private Optional<String> holder = Optional.empty();

  LeasesListCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    List<Lease> leases = commandContext.askServerOrStore(this::askServer, this::readStore);
    commandContext.output().printResults(leases, () -> print(leases));
    return ExitCode.OK.number();
  }

  private List<Lease> askServer(ServerClient serverClient) {
    String only = holder.map(name -> "?holder=" + CaliberClient.encodePathSegment(name)).orElse("");
    return serverClient.list("/leases" + only, Lease.class);
  }

  private List<Lease> readStore() {
    Instant now = commandContext.environment().clock().instant();
    try (OpenStore store = commandContext.open()) {
      List<Lease> all =
          store
              .records()
              .read(
                  commandContext.space(),
                  snapshot -> AgentsView.of(snapshot, commandContext.configs().agents()).leases());
      return all.stream()
          .filter(lease -> lease.isLive(now))
          .filter(lease -> holder.filter(name -> !name.equals(lease.holder().value())).isEmpty())
          .toList();
    }
  }

  private void print(List<Lease> leases) {
    TextTable table = TextTable.of("LEASE", "RESOURCE", "HOLDER", "MODE", "TOKEN", "UNTIL");
    for (Lease lease : leases) {
      table.addRow(
          lease.id().toString(),
          lease.resource().toString(),
          lease.holder().value(),
          lease.mode().name(),
          CommandOutput.formatNumber(lease.token()),
          Timestamps.format(lease.expiresAt()));
    }
    commandContext.output().printTable(table);
  }
}
