package dev.caliber.app;

import dev.caliber.kernel.CaliberException;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Secrets;
import dev.caliber.lang.diagnostic.Severity;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Collects what was found in sources, prints it, and says how the command ends. */
final class Findings {
  private final Output output;
  private final DiagnosticView view;
  private int errors;
  private int warnings;

  Findings(Output output) {
    this.output = output;
    this.view = new DiagnosticView(output.terminal());
  }

  /** For a command whose result is something else: what was found goes beside it. */
  static Findings beside(Workbench workbench) {
    return new Findings(new Output(workbench.terminal().diverted(), false));
  }

  private record Found(String source, int errors, int warnings, List<Place> diagnostics) {}

  private record Place(
      String severity,
      DiagnosticCode code,
      String file,
      int line,
      int column,
      int endLine,
      int endColumn,
      String message,
      String suggestion) {
    static Place of(Diagnostic found) {
      return new Place(
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

  /** Of one file. */
  void add(SourceFile file, List<Diagnostic> diagnostics) {
    List<String> lines = file.text().lines().toList();
    add(file.name(), diagnostics, _ -> lines);
  }

  /** Of several files that belong together; the function gives the lines of each. */
  void add(
      String source, List<Diagnostic> diagnostics, Function<String, List<String>> linesOfFile) {
    int wrong = count(diagnostics, Severity.ERROR);
    int odd = count(diagnostics, Severity.WARNING);
    errors += wrong;
    warnings += odd;
    output.result(
        new Found(source, wrong, odd, diagnostics.stream().map(Place::of).toList()),
        () -> diagnostics.forEach(one -> print(one, diagnostics, linesOfFile)));
  }

  /** A line that holds a secret is not shown, whatever else is wrong with it. */
  private void print(
      Diagnostic one, List<Diagnostic> all, Function<String, List<String>> linesOfFile) {
    List<String> lines = linesOfFile.apply(one.file());
    boolean secret =
        all.stream().anyMatch(other -> isSecretOnLineOf(other, one)) || showsSecret(one, lines);
    view.print(one, secret ? List.of() : lines);
  }

  private static boolean showsSecret(Diagnostic one, List<String> lines) {
    int line = one.span().line();
    return line <= lines.size() && !Secrets.find(lines.get(line - 1)).isEmpty();
  }

  /** A source that cannot be read is one more error; the others are looked at all the same. */
  void add(CaliberException unreadable, int sources) {
    if (sources == 1) {
      throw unreadable;
    }
    errors++;
    output.terminal().note(String.valueOf(unreadable.getMessage()));
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

  /** Says how many there were. */
  ExitCode conclude(String right) {
    String text = errors + warnings == 0 ? right : counted();
    if (!output.json() && !text.isEmpty()) {
      output.terminal().note(text);
    }
    return hasErrors() ? ExitCode.FAILED : ExitCode.OK;
  }

  private String counted() {
    return counted(errors, "error") + ", " + counted(warnings, "warning");
  }

  static String counted(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private static int count(List<Diagnostic> diagnostics, Severity severity) {
    return (int) diagnostics.stream().filter(one -> one.severity() == severity).count();
  }
}
