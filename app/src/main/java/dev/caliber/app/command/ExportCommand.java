package dev.caliber.app.command;

import dev.caliber.app.shell.AppException;
import dev.caliber.app.shell.AtomicFileWriter;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.OpenStore;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.maintenance.ExportReport;
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
    header = "Export the records as lines of JSON.",
    description =
        "Exports all spaces except the server's own, which holds its keys; or only the space of"
            + " --space. A file appears under its name only when it is complete.")
public final class ExportCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "A file that does not exist yet; without it, the standard output.")
  private Optional<Path> file = Optional.empty();

  public ExportCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() throws IOException {
    Optional<Path> target = file.map(commandContext::resolve);
    if (target.filter(Files::exists).isPresent()) {
      throw AppException.fileExists(target.get(), "Choose another name; the file was not changed.");
    }
    try (OpenStore store = commandContext.open()) {
      ExportReport report =
          target.isPresent()
              ? AtomicFileWriter.writePrivate(target.get(), out -> export(store, out))
              : exportToStandardOutput(store);
      return report(report, target).number();
    }
  }

  /** Exports, and then checks the stream for errors, which a print stream does not throw. */
  private ExportReport exportToStandardOutput(OpenStore store) {
    ExportReport report = export(store, new BufferedOutputStream(commandContext.terminal().out()));
    if (commandContext.terminal().isClosed()) {
      throw AppException.outputFailed();
    }
    return report;
  }

  private ExportReport export(OpenStore store, OutputStream out) {
    Optional<SpaceId> named = commandContext.namedSpace();
    Set<SpaceId> without = named.isPresent() ? Set.of() : Set.of(SpaceId.SERVER);
    return commandContext.runMaintenance(
        store, (maintenance, bar) -> maintenance.export(out, named, without, bar));
  }

  /** Reports to the standard error if the lines themselves go to the standard output. */
  private ExitCode report(ExportReport report, Optional<Path> target) {
    String summary =
        "Exported %,d records%s."
            .formatted(report.records(), target.map(path -> " to " + path).orElse(""));
    if (target.isPresent()) {
      commandContext.output().printResult(report, summary);
    } else {
      commandContext.terminal().printNote(summary);
    }
    if (report.leftOut().isEmpty()) {
      return ExitCode.OK;
    }
    commandContext
        .terminal()
        .printNote(
            "LEFT OUT, because this version does not know these tables: "
                + String.join(", ", report.leftOut()));
    return ExitCode.FAILED;
  }
}
