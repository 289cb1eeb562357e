package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Job;
import dev.caliber.store.Jobs;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber jobs revive}. */
@Command(
    name = "revive",
    header = "Let a dead job be tried again, with all its attempts before it.")
final class JobsReviveCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "ID", description = "As 'caliber jobs list --state dead' shows it.")
  private String id = "";

  JobsReviveCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    SpaceId space = workbench.space();
    Id job = Id.parse(id);
    try (OpenStore store = workbench.open()) {
      Job revived =
          store
              .records()
              .write(
                  space,
                  transaction -> {
                    Jobs.revive(transaction, job);
                    return transaction.get(Jobs.TABLE, job);
                  });
      workbench.output().result(revived, "The job %s is ready again.".formatted(job));
    }
    return ExitCode.OK.number();
  }
}
