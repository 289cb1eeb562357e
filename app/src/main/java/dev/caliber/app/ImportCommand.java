package dev.caliber.app;

import dev.caliber.store.ImportMode;
import dev.caliber.store.ImportReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber import}. */
@Command(
    name = "import",
    header = "Read an export: checked as a whole, applied in one transaction.",
    description = "A malformed line is named by its number, and then nothing is imported.")
final class ImportCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "FILE", description = "What 'caliber export' has written.")
  private Path file = Path.of("");

  @Option(
      names = "--on-conflict",
      paramLabel = "MODE",
      defaultValue = "fail",
      description =
          "A record that is there already: fail refuses the import, skip keeps the store's,"
              + " replace takes the file's (${DEFAULT-VALUE}).")
  private ImportMode mode = ImportMode.FAIL;

  ImportCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Path source = workbench.existingFile(file);
    ImportReport report =
        workbench.fill((maintenance, bar) -> maintenance.importFrom(source, mode, bar));
    workbench
        .output()
        .result(
            report,
            "Imported from %s: %,d created, %,d replaced, %,d skipped."
                .formatted(source, report.created(), report.replaced(), report.skipped()));
    return ExitCode.OK.number();
  }
}
