package dev.caliber.app;

import dev.caliber.agents.AgentId;
import dev.caliber.agents.AgentsView;
import dev.caliber.agents.Lease;
import dev.caliber.agents.Standing;
import dev.caliber.kernel.Timestamps;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code caliber agents status}. */
@Command(name = "status", header = "Show who holds what, who waits for whom, and what is stuck.")
final class AgentsStatusCommand implements Callable<Integer> {
  private final Workbench workbench;

  AgentsStatusCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Standing standing =
        workbench.ask(remote -> remote.get("/standing", Standing.class), this::read);
    workbench.output().result(standing, () -> print(standing));
    return ExitCode.OK.number();
  }

  private Standing read() {
    Instant now = workbench.surroundings().clock().instant();
    try (OpenStore store = workbench.open()) {
      return store
          .records()
          .read(
              workbench.space(),
              snapshot -> AgentsView.of(snapshot, workbench.rooms().agents()).standing(now));
    }
  }

  private void print(Standing standing) {
    TextTable held = TextTable.of("HOLDS", "RESOURCE", "MODE", "TOKEN", "UNTIL");
    for (Lease lease : standing.leases()) {
      held.row(
          lease.holder().value(),
          lease.resource().toString(),
          lease.mode().name(),
          Output.number(lease.token()),
          Timestamps.format(lease.expiresAt()));
    }
    workbench.output().table(held);
    TextTable waits = TextTable.of("WAITS", "RESOURCE", "FOR", "SINCE");
    for (Standing.Waiter waiter : standing.waiters()) {
      waits.row(
          waiter.agent().value(),
          waiter.resource().toString(),
          before(waiter),
          Timestamps.format(waiter.since()));
    }
    workbench.output().table(waits);
    TextTable stuck = TextTable.of("STUCK", "ID", "WHY", "SINCE");
    for (Standing.Stuck one : standing.stuck()) {
      stuck.row(one.kind(), one.id(), one.reason(), Timestamps.format(one.since()));
    }
    for (String kind : standing.cut()) {
      stuck.row(kind, "", "there are more than agents.tending.list", "");
    }
    workbench.output().table(stuck);
  }

  private static String before(Standing.Waiter waiter) {
    String named = waiter.behind().stream().map(AgentId::value).collect(Collectors.joining(", "));
    return waiter.cut() ? named + " and others" : named;
  }
}
