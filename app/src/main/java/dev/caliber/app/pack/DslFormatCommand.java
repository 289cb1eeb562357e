package dev.caliber.app.pack;

import dev.caliber.app.shell.AppException;
import dev.caliber.app.shell.AtomicFileWriter;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.SourceFile;
import dev.caliber.kernel.CaliberException;
import dev.caliber.lang.Formatter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber dsl fmt}. */
@Command(
    name = "fmt",
    header = "Write sources of the configuration language in their canonical form.",
    description =
        "A file is replaced in one step, or not at all if its grammar is wrong. '-' reads the"
            + " standard input and prints the result. Order and comments are preserved.")
final class DslFormatCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "'-' is the standard input.")
  private List<String> files = List.of();

  @Option(
      names = "--check",
      description =
          "Change nothing; list the files that would change. Exit code 1 if there are any.")
  private boolean check;

  DslFormatCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record FormatOutput(String file, boolean changed) {}

  @Override
  public Integer call() throws IOException {
    boolean prints = files.contains(SourceFile.STANDARD_INPUT);
    DiagnosticReporter diagnosticReporter =
        prints
            ? DiagnosticReporter.onStandardError(commandContext)
            : new DiagnosticReporter(commandContext.output());
    Map<SourceFile, String> canonical = new LinkedHashMap<>();
    files.forEach(argument -> readSource(argument, canonical, diagnosticReporter));
    int changed = 0;
    for (var each : canonical.entrySet()) {
      changed += applyFormat(each.getKey(), each.getValue()) ? 1 : 0;
    }
    ExitCode code = diagnosticReporter.printSummary(summary(changed));
    return (check && changed > 0 ? ExitCode.FAILED : code).number();
  }

  /** Reads a source; all sources are read before the first one is written. */
  private void readSource(
      String argument, Map<SourceFile, String> canonical, DiagnosticReporter diagnosticReporter) {
    try {
      SourceFile file = SourceFile.read(commandContext, argument);
      switch (Formatter.format(file.name(), file.text())) {
        case Formatter.FormatFailure formatFailure ->
            diagnosticReporter.addDiagnostics(file, formatFailure.diagnostics());
        case Formatter.FormatSuccess formatSuccess -> canonical.put(file, formatSuccess.source());
      }
    } catch (CaliberException e) {
      diagnosticReporter.addUnreadable(e, files.size());
    } catch (IOException e) {
      diagnosticReporter.addUnreadable(AppException.of(e), files.size());
    }
  }

  /** Writes the canonical form; returns whether it differs from the source. */
  private boolean applyFormat(SourceFile file, String canonical) throws IOException {
    boolean differs = !file.text().equals(canonical);
    if (file.isStandardInput() && !check) {
      commandContext.terminal().out().print(canonical);
      return differs;
    }
    if (differs && !check) {
      AtomicFileWriter.replace(commandContext.resolve(Path.of(file.name())), canonical);
    }
    report(file, differs);
    return differs;
  }

  private void report(SourceFile file, boolean differs) {
    commandContext
        .output()
        .printResult(
            new FormatOutput(file.name(), differs),
            () -> {
              if (differs) {
                commandContext.terminal().printLine(file.name());
              }
            });
  }

  private String summary(int changed) {
    return "%s, %d %s"
        .formatted(
            DiagnosticReporter.countText(files.size(), "source"),
            changed,
            check ? "not in canonical form" : "changed");
  }
}
