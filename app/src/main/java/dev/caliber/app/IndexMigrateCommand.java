package dev.caliber.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber index migrate}. */
@Command(
    name = "migrate",
    header = "Build search indexes that the settings require and that do not exist yet.",
    description =
        "Use it after a change of model, analysis or declarations. The old index answers until the"
            + " new one is complete; an interrupted migration continues. Texts that are new to the"
            + " model are embedded afterwards.")
final class IndexMigrateCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  IndexMigrateCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    return new IndexBuilder(commandContext)
        .buildAll(
            (index, space, progressListener) ->
                index.migrate(space, progressListener) ? "is new" : "is up to date");
  }
}
