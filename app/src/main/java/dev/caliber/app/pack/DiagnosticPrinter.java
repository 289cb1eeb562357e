package dev.caliber.app.pack;

import dev.caliber.app.shell.Terminal;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticSeverity;
import dev.caliber.lang.diagnostic.Span;
import java.util.List;

/** Prints diagnostics as compilers do: the problem, the line, its position, and the correction. */
public final class DiagnosticPrinter {
  private final Terminal terminal;

  public DiagnosticPrinter(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Prints a diagnostic with the lines of its file; the list is empty if the file has no text. */
  public void print(Diagnostic diagnostic, List<String> lines) {
    terminal.printLine(headLine(diagnostic));
    Span span = diagnostic.span();
    String number = Integer.toString(span.line());
    String margin = " ".repeat(number.length());
    terminal.printLine(margin + terminal.faint("--> ") + replaceControls(diagnostic.location()));
    if (!lines.isEmpty() && span.line() <= lines.size() + 1) {
      SourceExcerpt excerpt = SourceExcerpt.of(lines, span);
      terminal.printLine(margin + terminal.faint(" |"));
      terminal.printLine((terminal.faint(number + " |") + " " + excerpt.line()).stripTrailing());
      terminal.printLine(margin + terminal.faint(" |") + " " + markerLine(diagnostic, excerpt));
    }
    terminal.printLine(margin + terminal.faint(" = ") + replaceControls(diagnostic.suggestion()));
    terminal.printLine("");
  }

  private String headLine(Diagnostic diagnostic) {
    String kind = diagnostic.severity().word() + " " + diagnostic.code();
    return styled(diagnostic, kind) + terminal.bold(": " + replaceControls(diagnostic.message()));
  }

  private String markerLine(Diagnostic diagnostic, SourceExcerpt excerpt) {
    return " ".repeat(excerpt.markerOffset())
        + styled(diagnostic, "^".repeat(excerpt.markerWidth()));
  }

  private String styled(Diagnostic diagnostic, String text) {
    return diagnostic.severity() == DiagnosticSeverity.ERROR
        ? terminal.error(text)
        : terminal.warning(text);
  }

  private static String replaceControls(String name) {
    return name.replaceAll("\\p{Cntrl}", "\uFFFD");
  }
}
