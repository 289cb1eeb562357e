package dev.caliber.app;

import dev.caliber.agents.Lease;
import dev.caliber.agents.RevokeLease;
import dev.caliber.kernel.Id;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code caliber leases revoke}. */
@Command(
    name = "revoke",
    header = "Take a lease away from its holder.",
    description = "What the holder writes under it from now on is refused; the next one gets it.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber leases revoke 01JD0000000000000000000000 --by alice")
final class LeasesRevokeCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "LEASE", description = "Its id, as 'caliber leases list' shows it.")
  private String lease = "";

  @Mixin private ByOption by = new ByOption();

  LeasesRevokeCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Id id = Id.parse(lease);
    Lease revoked =
        workbench.ask(
            remote -> remote.post("/leases/%s/revoke".formatted(id), Remote.input(), Lease.class),
            () -> revoke(id));
    workbench
        .output()
        .result(
            revoked, "'%s' no longer holds %s.".formatted(revoked.holder(), revoked.resource()));
    return ExitCode.OK.number();
  }

  private Lease revoke(Id id) {
    String who = by.name(workbench.surroundings());
    try (OpenContext context = OpenContext.of(workbench, false)) {
      return context.agents(workbench).run(workbench.space(), new RevokeLease(id, who));
    }
  }
}
