package dev.caliber.app.pack;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.kernel.CaliberException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber pack validate}. */
@Command(
    name = "validate",
    header = "Report all errors of packs.",
    description =
        "Also checks cal.lock, if there is one. Exit code 1 if there is an error; warnings alone"
            + " leave it 0. Nothing is executed, and no secret is read.")
final class PackValidateCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(arity = "1..*", paramLabel = "DIR", description = "The directory of cal.toml.")
  private List<Path> directories = List.of();

  PackValidateCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    ReportingPackComposer bench = new ReportingPackComposer(commandContext);
    DiagnosticReporter diagnosticReporter = new DiagnosticReporter(commandContext.output());
    for (Path directory : directories) {
      try {
        bench.composeAndReport(directory, bench.readSource(directory), diagnosticReporter);
      } catch (CaliberException e) {
        diagnosticReporter.addUnreadable(e, directories.size());
      }
    }
    return diagnosticReporter
        .printSummary(DiagnosticReporter.countText(directories.size(), "pack") + ": no errors")
        .number();
  }
}
