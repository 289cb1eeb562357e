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
    header = "List the leases that are held in a space.",
    description = "'caliber agents status' also shows who waits for whom.")
final class LeasesListCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Option(names = "--holder", paramLabel = "AGENT", description = "Only leases of this agent.")
  private Optional<String> holder = Optional.empty();

  LeasesListCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    List<Lease> leases = workbench.ask(this::ask, this::read);
    workbench.output().results(leases, () -> print(leases));
    return ExitCode.OK.number();
  }

  private List<Lease> ask(Remote remote) {
    String only = holder.map(name -> "?holder=" + CaliberClient.encoded(name)).orElse("");
    return remote.list("/leases" + only, Lease.class);
  }

  private List<Lease> read() {
    Instant now = workbench.surroundings().clock().instant();
    try (OpenStore store = workbench.open()) {
      List<Lease> all =
          store
              .records()
              .read(
                  workbench.space(),
                  snapshot -> AgentsView.of(snapshot, workbench.rooms().agents()).leases());
      return all.stream()
          .filter(lease -> lease.isLive(now))
          .filter(lease -> holder.filter(name -> !name.equals(lease.holder().value())).isEmpty())
          .toList();
    }
  }

  private void print(List<Lease> leases) {
    TextTable table = TextTable.of("LEASE", "RESOURCE", "HOLDER", "MODE", "TOKEN", "UNTIL");
    for (Lease lease : leases) {
      table.row(
          lease.id().toString(),
          lease.resource().toString(),
          lease.holder().value(),
          lease.mode().name(),
          Output.number(lease.token()),
          Timestamps.format(lease.expiresAt()));
    }
    workbench.output().table(table);
  }
}
