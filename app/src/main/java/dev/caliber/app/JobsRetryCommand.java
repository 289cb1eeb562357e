package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Job;
import dev.caliber.store.Jobs;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber jobs retry}. */
@Command(name = "retry", header = "Retry a dead job, with all its attempts again.")
final class JobsRetryCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(
      paramLabel = "ID",
      description = "The job's id, as 'caliber jobs list --state dead' shows it.")
  private String id = "";

  JobsRetryCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    SpaceId space = commandContext.space();
    Id job = Id.parse(id);
    try (OpenStore store = commandContext.open()) {
      Job revived =
          store
              .records()
              .write(
                  space,
                  transaction -> {
                    Jobs.revive(transaction, job);
                    return transaction.get(Jobs.TABLE, job);
                  });
      commandContext.output().printResult(revived, "The job %s is ready again.".formatted(job));
    }
    return ExitCode.OK.number();
  }
}
