package dev.caliber.app;

import dev.caliber.store.BackupReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber backup}. */
@Command(
    name = "backup",
    header = "Write one state of the whole store into a new file.",
    description =
        "Writers go on meanwhile. The file is an embedded store, whatever the engine, so that a"
            + " store can move between engines.")
final class BackupCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "FILE", description = "The backup, which must not be there yet.")
  private Path file = Path.of("");

  BackupCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Path target = workbench.resolve(file);
    try (OpenStore store = workbench.open()) {
      BackupReport report =
          workbench.maintain(store, (maintenance, bar) -> maintenance.backup(target, bar));
      workbench
          .output()
          .result(
              report,
              "Wrote %,d records, %,d bytes, to %s."
                  .formatted(report.records(), report.bytes(), target));
    }
    return ExitCode.OK.number();
  }
}
