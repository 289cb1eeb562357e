package dev.caliber.app;

import dev.caliber.store.ImportMode;
import dev.caliber.store.ImportReport;
import dev.caliber.store.ImportRules;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber import}. */
@Command(
    name = "import",
    header = "Read an export: checked as a whole, applied in one transaction.",
    description =
        "A malformed line is named by its number, and then nothing is imported. The checksum of a"
            + " file is no signature: its author may have put an API key or a webhook into it. So"
            + " records of the server's own space are refused, and jobs, webhooks and kept answers"
            + " are left out, unless --include names them.")
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

  @Option(
      names = "--include",
      paramLabel = "NAME",
      description =
          "Take over what is refused or left out otherwise; can be repeated. One of caliber.server"
              + " (the server's own space: its API keys let their holders in here), job, kept_answer,"
              + " webhook, webhook_cursor.")
  private Set<String> include = Set.of();

  ImportCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Path source = workbench.existingFile(file);
    ImportReport report =
        workbench.fill(
            (maintenance, bar) ->
                maintenance.importFrom(source, new ImportRules(mode, include), bar));
    workbench.output().result(report, () -> print(source, report));
    return ExitCode.OK.number();
  }

  private void print(Path source, ImportReport report) {
    Terminal terminal = workbench.terminal();
    terminal.line(
        "Imported from %s: %,d created, %,d replaced, %,d skipped."
            .formatted(source, report.created(), report.replaced(), report.skipped()));
    report
        .included()
        .forEach(
            (table, count) -> terminal.line("  included by name: %,d %s".formatted(count, table)));
    report
        .leftOut()
        .forEach(
            (table, count) ->
                terminal.line(
                    "  left out: %,d %s (--include %s takes them over)"
                        .formatted(count, table, table.substring(table.indexOf('/') + 1))));
  }
}
