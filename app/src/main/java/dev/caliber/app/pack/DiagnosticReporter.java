package dev.caliber.app.pack;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.CommandOutput;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.SourceFile;
import dev.caliber.kernel.CaliberException;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticSeverity;
import dev.caliber.lang.diagnostic.SecretScanner;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Collects diagnostics of sources, prints them, and determines the exit code. */
final class DiagnosticReporter {
  private final CommandOutput commandOutput;
  private final DiagnosticPrinter view;
  private int errors;
  private int warnings;

  DiagnosticReporter(CommandOutput commandOutput) {
    this.commandOutput = commandOutput;
    this.view = new DiagnosticPrinter(commandOutput.terminal());
  }

  /** Returns a reporter that prints to the standard error, for a command with another result. */
  static DiagnosticReporter onStandardError(CommandContext commandContext) {
    return new DiagnosticReporter(
        new CommandOutput(commandContext.terminal().withResultsOnStandardError(), false));
  }

  private record SourceDiagnosticsOutput(
      String source, int errors, int warnings, List<DiagnosticOutput> diagnostics) {}

  private record DiagnosticOutput(
      String severity,
      DiagnosticCode code,
      String file,
      int line,
      int column,
      int endLine,
      int endColumn,
      String message,
      String suggestion) {
    static DiagnosticOutput of(Diagnostic found) {
      return new DiagnosticOutput(
          found.severity().name().toLowerCase(Locale.ROOT),
          found.code(),
          found.file(),
          found.span().line(),
          found.span().column(),
          found.span().endLine(),
          found.span().endColumn(),
          found.message(),
          found.suggestion());
    }
  }

  /** Adds diagnostics of one file. */
  void addDiagnostics(SourceFile file, List<Diagnostic> diagnostics) {
    List<String> lines = file.text().lines().toList();
    addDiagnostics(file.name(), diagnostics, _ -> lines);
  }

  /** Adds diagnostics of several files; the function returns the lines of each. */
  void addDiagnostics(
      String source, List<Diagnostic> diagnostics, Function<String, List<String>> linesOfFile) {
    int wrong = count(diagnostics, DiagnosticSeverity.ERROR);
    int odd = count(diagnostics, DiagnosticSeverity.WARNING);
    errors += wrong;
    warnings += odd;
    commandOutput.printResult(
        new SourceDiagnosticsOutput(
            source, wrong, odd, diagnostics.stream().map(DiagnosticOutput::of).toList()),
        () -> diagnostics.forEach(one -> printDiagnostic(one, diagnostics, linesOfFile)));
  }

  /** Prints a diagnostic, without its line if the line holds a secret. */
  private void printDiagnostic(
      Diagnostic one, List<Diagnostic> all, Function<String, List<String>> linesOfFile) {
    List<String> lines = linesOfFile.apply(one.file());
    boolean secret =
        all.stream().anyMatch(other -> isSecretOnLineOf(other, one)) || containsSecret(one, lines);
    view.print(one, secret ? List.of() : lines);
  }

  private static boolean containsSecret(Diagnostic one, List<String> lines) {
    int line = one.span().line();
    return line <= lines.size() && !SecretScanner.find(lines.get(line - 1)).isEmpty();
  }

  /** Adds an error for a source that cannot be read; the other sources are still checked. */
  void addUnreadable(CaliberException unreadable, int sources) {
    if (sources == 1) {
      throw unreadable;
    }
    errors++;
    commandOutput.terminal().printNote(String.valueOf(unreadable.getMessage()));
  }

  private static boolean isSecretOnLineOf(Diagnostic secret, Diagnostic one) {
    return secret.code() == DiagnosticCode.RAW_SECRET
        && secret.file().equals(one.file())
        && secret.span().line() <= one.span().line()
        && one.span().line() <= secret.span().endLine();
  }

  boolean hasErrors() {
    return errors > 0;
  }

  /** Prints the number of errors and warnings. */
  ExitCode printSummary(String right) {
    String text = errors + warnings == 0 ? right : countsText();
    if (!commandOutput.json() && !text.isEmpty()) {
      commandOutput.terminal().printNote(text);
    }
    return hasErrors() ? ExitCode.FAILED : ExitCode.OK;
  }

  private String countsText() {
    return countText(errors, "error") + ", " + countText(warnings, "warning");
  }

  static String countText(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private static int count(List<Diagnostic> diagnostics, DiagnosticSeverity diagnosticSeverity) {
    return (int) diagnostics.stream().filter(one -> one.severity() == diagnosticSeverity).count();
  }
}
