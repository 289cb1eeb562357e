package dev.caliber.app;

import dev.caliber.store.BackupReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber backup}. */
@Command(
    name = "backup",
    header = "Write a consistent copy of the whole store into a new file.",
    description =
        "Writers can continue meanwhile. The file is an embedded store, whatever the engine, so"
            + " that a store can move between engines.")
final class BackupCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(paramLabel = "FILE", description = "The backup file, which must not exist yet.")
  private Path file = Path.of("");

  BackupCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    Path target = commandContext.resolve(file);
    try (OpenStore store = commandContext.open()) {
      BackupReport report =
          commandContext.runMaintenance(
              store, (maintenance, bar) -> maintenance.backup(target, bar));
      commandContext
          .output()
          .printResult(
              report,
              "Wrote %,d records, %,d bytes, to %s."
                  .formatted(report.records(), report.bytes(), target));
    }
    return ExitCode.OK.number();
  }
}
