package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ExportReport;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber export}. */
@Command(
    name = "export",
    header = "Write the records as lines of JSON.",
    description =
        "All spaces but the server's own, which holds its keys; or the one that --space names. A"
            + " file appears under its name only when it is complete.")
final class ExportCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "A file that is not there yet; without it, the standard output.")
  private Optional<Path> file = Optional.empty();

  ExportCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() throws IOException {
    Optional<Path> target = file.map(workbench::resolve);
    if (target.filter(Files::exists).isPresent()) {
      throw AppException.fileExists(target.get(), "Choose another name; it was not touched.");
    }
    try (OpenStore store = workbench.open()) {
      ExportReport report =
          target.isPresent()
              ? NewFile.writePrivate(target.get(), out -> export(store, out))
              : toOutput(store);
      return report(report, target).number();
    }
  }

  /** A print stream keeps what went wrong to itself until it is asked. */
  private ExportReport toOutput(OpenStore store) {
    ExportReport report = export(store, new BufferedOutputStream(workbench.terminal().out()));
    if (workbench.terminal().isGone()) {
      throw AppException.outputFailed();
    }
    return report;
  }

  private ExportReport export(OpenStore store, OutputStream out) {
    Optional<SpaceId> named = workbench.namedSpace();
    Set<SpaceId> without = named.isPresent() ? Set.of() : Set.of(SpaceId.SERVER);
    return workbench.maintain(
        store, (maintenance, bar) -> maintenance.export(out, named, without, bar));
  }

  /** On the standard output the lines themselves are the result; what was done is said beside. */
  private ExitCode report(ExportReport report, Optional<Path> target) {
    String summary =
        "Exported %,d records%s."
            .formatted(report.records(), target.map(path -> " to " + path).orElse(""));
    if (target.isPresent()) {
      workbench.output().result(report, summary);
    } else {
      workbench.terminal().note(summary);
    }
    if (report.leftOut().isEmpty()) {
      return ExitCode.OK;
    }
    workbench
        .terminal()
        .note(
            "LEFT OUT, because this version does not know these tables: "
                + String.join(", ", report.leftOut()));
    return ExitCode.FAILED;
  }
}
