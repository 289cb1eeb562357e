package dev.caliber.app;

import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.Severity;
import dev.caliber.lang.diagnostic.Span;
import java.util.List;

/**
 * Prints diagnostics as a good compiler does: what is wrong, the line, the place, what is right.
 */
final class DiagnosticView {
  private final Terminal terminal;

  DiagnosticView(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Prints one; the lines are those of its file, or none if it has no text. */
  void print(Diagnostic diagnostic, List<String> lines) {
    terminal.line(head(diagnostic));
    Span span = diagnostic.span();
    String number = Integer.toString(span.line());
    String margin = " ".repeat(number.length());
    terminal.line(margin + terminal.faint("--> ") + printable(diagnostic.where()));
    if (!lines.isEmpty() && span.line() <= lines.size() + 1) {
      SourceExcerpt excerpt = SourceExcerpt.of(lines, span);
      terminal.line(margin + terminal.faint(" |"));
      terminal.line((terminal.faint(number + " |") + " " + excerpt.line()).stripTrailing());
      terminal.line(margin + terminal.faint(" |") + " " + marks(diagnostic, excerpt));
    }
    terminal.line(margin + terminal.faint(" = ") + printable(diagnostic.suggestion()));
    terminal.line("");
  }

  private String head(Diagnostic diagnostic) {
    String kind = diagnostic.severity().word() + " " + diagnostic.code();
    return styled(diagnostic, kind) + terminal.bold(": " + printable(diagnostic.message()));
  }

  private String marks(Diagnostic diagnostic, SourceExcerpt excerpt) {
    return " ".repeat(excerpt.before()) + styled(diagnostic, "^".repeat(excerpt.width()));
  }

  private String styled(Diagnostic diagnostic, String text) {
    return diagnostic.severity() == Severity.ERROR ? terminal.bad(text) : terminal.warn(text);
  }

  private static String printable(String name) {
    return name.replaceAll("\\p{Cntrl}", "\uFFFD");
  }
}
