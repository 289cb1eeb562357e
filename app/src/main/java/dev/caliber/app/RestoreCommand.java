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
        "A store that holds records is refused. Every space begins a new epoch, so that what was"
            + " derived from the feed is rebuilt. The API keys, webhooks and jobs of the backup work in"
            + " the restored store, so restore only backups that you trust.")
final class RestoreCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "FILE", description = "What 'caliber backup' has written.")
  private Path file = Path.of("");

  RestoreCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Path source = workbench.existingFile(file);
    RestoreReport report = workbench.fill((maintenance, bar) -> maintenance.restore(source, bar));
    workbench
        .output()
        .result(
            report,
            "Restored %,d records (spaces: %,d) from %s."
                .formatted(report.records(), report.spaces(), source));
    return ExitCode.OK.number();
  }
}
