package dev.caliber.app.command;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.Terminal;
import dev.caliber.store.maintenance.ImportMode;
import dev.caliber.store.maintenance.ImportReport;
import dev.caliber.store.maintenance.ImportRules;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber import}. */
@Command(
    name = "import",
    header = "Import an export: checked as a whole, applied in one transaction.",
    description =
        "An error names the number of the malformed line, and then nothing is imported. The"
            + " checksum of a file is not a signature: its author may have added an API key or a"
            + " webhook. So records of the server's own space are refused, and jobs, webhooks and"
            + " kept answers are left out, unless --include names them.")
public final class ImportCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(paramLabel = "FILE", description = "A file that 'caliber export' wrote.")
  private Path file = Path.of("");

  @Option(
      names = "--on-conflict",
      paramLabel = "MODE",
      defaultValue = "fail",
      description =
          "What to do with a record that exists: fail refuses the import, skip keeps the store's"
              + " record, replace takes the file's (${DEFAULT-VALUE}).")
  private ImportMode mode = ImportMode.FAIL;

  @Option(
      names = "--include",
      paramLabel = "NAME",
      description =
          "Import what is otherwise refused or left out; can be repeated. One of caliber.server"
              + " (the server's own space, whose API keys give access to this server), job,"
              + " kept_answer, webhook, webhook_cursor.")
  private Set<String> include = Set.of();

  public ImportCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    Path source = commandContext.requireFile(file);
    ImportReport report =
        commandContext.fillStore(
            (maintenance, bar) ->
                maintenance.importFrom(source, new ImportRules(mode, include), bar));
    commandContext.output().printResult(report, () -> print(source, report));
    return ExitCode.OK.number();
  }

  private void print(Path source, ImportReport report) {
    Terminal terminal = commandContext.terminal();
    terminal.printLine(
        "Imported from %s: %,d created, %,d replaced, %,d skipped."
            .formatted(source, report.created(), report.replaced(), report.skipped()));
    report
        .included()
        .forEach(
            (table, count) ->
                terminal.printLine("  included by name: %,d %s".formatted(count, table)));
    report
        .leftOut()
        .forEach(
            (table, count) ->
                terminal.printLine(
                    "  left out: %,d %s (--include %s imports them)"
                        .formatted(count, table, table.substring(table.indexOf('/') + 1))));
  }
}
