package dev.caliber.lang;

import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.Parser;
import dev.caliber.lang.syntax.Printer;
import java.util.List;

/**
 * Writes a source in its canonical form: two blanks of indentation, one entry per line, one blank
 * line between definitions. Order and comments are preserved; formatting twice changes nothing.
 */
public final class Formatter {
  private Formatter() {}

  /** The result of formatting. */
  public sealed interface FormatResult {}

  /** The source in canonical form. */
  public record FormatSuccess(String source) implements FormatResult {}

  /** The errors that prevent formatting; the source is not changed. */
  public record FormatFailure(List<Diagnostic> diagnostics) implements FormatResult {
    public FormatFailure {
      diagnostics = List.copyOf(diagnostics);
    }
  }

  /** Formats a source if its grammar is right, even with other errors. */
  public static FormatResult format(String fileName, String source) {
    var diagnostics = new Diagnostics(fileName);
    var parsedSource = Parser.parse(source, diagnostics);
    return diagnostics.size() == 0
        ? new FormatSuccess(Printer.format(source, parsedSource))
        : new FormatFailure(diagnostics.sorted());
  }
}
