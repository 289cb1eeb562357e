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
    header = "Revoke a lease.",
    description =
        "The holder's writes under it are refused from now on; the next agent in the queue gets the"
            + " lease.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber leases revoke 01JD0000000000000000000000 --actor alice")
final class LeasesRevokeCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(
      paramLabel = "LEASE",
      description = "The lease's id, as 'caliber leases list' shows it.")
  private String lease = "";

  @Mixin private ActorNameOption by = new ActorNameOption();

  LeasesRevokeCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    Id id = Id.parse(lease);
    Lease revoked =
        commandContext.askServerOrStore(
            serverClient ->
                serverClient.post(
                    "/leases/%s/revoke".formatted(id), ServerClient.newInput(), Lease.class),
            () -> revoke(id));
    commandContext
        .output()
        .printResult(
            revoked, "'%s' no longer holds %s.".formatted(revoked.holder(), revoked.resource()));
    return ExitCode.OK.number();
  }

  private Lease revoke(Id id) {
    String who = by.name(commandContext.environment());
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, false)) {
      return context.agents(commandContext).run(commandContext.space(), new RevokeLease(id, who));
    }
  }
}
