package dev.caliber.app;

import dev.caliber.store.RestoreReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber restore}. */
@Command(
    name = "restore",
    header = "Fill an empty store from a backup, all or nothing.",
    description =
        "Refuses a store that holds records. Every space begins a new epoch, so that data derived"
            + " from the feed is rebuilt. The API keys, webhooks and jobs of the backup work in the"
            + " restored store, so restore only backups that you trust.")
final class RestoreCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(paramLabel = "FILE", description = "A file that 'caliber backup' wrote.")
  private Path file = Path.of("");

  RestoreCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    Path source = commandContext.requireFile(file);
    RestoreReport report =
        commandContext.fillStore((maintenance, bar) -> maintenance.restore(source, bar));
    commandContext
        .output()
        .printResult(
            report,
            "Restored %,d records (spaces: %,d) from %s."
                .formatted(report.records(), report.spaces(), source));
    return ExitCode.OK.number();
  }
}
