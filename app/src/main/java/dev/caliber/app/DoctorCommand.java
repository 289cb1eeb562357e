package dev.caliber.app;

import dev.caliber.store.DoctorFinding;
import dev.caliber.store.DoctorReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber doctor}. */
@Command(
    name = "doctor",
    header = "Check the store for damage and unsafe settings, and say what to do.",
    description =
        "Checks rows, columns, indexes, the feed, settings and free disk space. Exit code 1 if"
            + " something is damaged or unsafe.")
final class DoctorCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  DoctorCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    try (OpenStore store = commandContext.open()) {
      DoctorReport report =
          commandContext.runMaintenance(store, (maintenance, bar) -> maintenance.examine(bar));
      commandContext.output().printResult(report, () -> print(report));
      return (report.isHealthy() ? ExitCode.OK : ExitCode.FAILED).number();
    }
  }

  private void print(DoctorReport report) {
    Terminal terminal = commandContext.terminal();
    for (DoctorFinding doctorFinding : report.findings()) {
      String severity = doctorFinding.severity().name();
      terminal.printLine(
          "%s %s: %s: %s"
              .formatted(
                  doctorFinding.severity() == DoctorFinding.DoctorSeverity.ERROR
                      ? terminal.error(severity)
                      : terminal.bold(severity),
                  doctorFinding.code(),
                  doctorFinding.where(),
                  doctorFinding.what()));
      terminal.printLine("  " + doctorFinding.advice());
    }
    if (report.omitted() > 0) {
      terminal.printLine("%,d more findings of these kinds".formatted(report.omitted()));
    }
    terminal.printLine(
        "%s: %,d records checked, %,d findings"
            .formatted(
                report.isHealthy() ? terminal.success("Healthy") : terminal.error("NOT healthy"),
                report.records(),
                report.findings().size() + report.omitted()));
  }
}
