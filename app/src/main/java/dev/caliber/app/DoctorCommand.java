package dev.caliber.app;

import dev.caliber.store.DoctorReport;
import dev.caliber.store.Finding;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber doctor}. */
@Command(
    name = "doctor",
    header = "Look for damage and unsafe settings, and say what to do.",
    description =
        "Checks rows, columns, indexes, the feed, settings and free room. Exit code 1 if something"
            + " is damaged or unsafe.")
final class DoctorCommand implements Callable<Integer> {
  private final Workbench workbench;

  DoctorCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    try (OpenStore store = workbench.open()) {
      DoctorReport report =
          workbench.maintain(store, (maintenance, bar) -> maintenance.examine(bar));
      workbench.output().result(report, () -> print(report));
      return (report.isHealthy() ? ExitCode.OK : ExitCode.FAILED).number();
    }
  }

  private void print(DoctorReport report) {
    Terminal terminal = workbench.terminal();
    for (Finding finding : report.findings()) {
      String severity = finding.severity().name();
      terminal.line(
          "%s %s: %s: %s"
              .formatted(
                  finding.severity() == Finding.Severity.ERROR
                      ? terminal.bad(severity)
                      : terminal.bold(severity),
                  finding.code(),
                  finding.where(),
                  finding.what()));
      terminal.line("  " + finding.advice());
    }
    if (report.omitted() > 0) {
      terminal.line("%,d more findings of the same kinds".formatted(report.omitted()));
    }
    terminal.line(
        "%s: %,d records looked at, %,d findings"
            .formatted(
                report.isHealthy() ? terminal.good("Healthy") : terminal.bad("NOT healthy"),
                report.records(),
                report.findings().size() + report.omitted()));
  }
}
