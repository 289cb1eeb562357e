package dev.caliber.lang;

import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.Parser;
import dev.caliber.lang.syntax.Printer;
import java.util.List;

/**
 * Writes a source in its canonical form: two blanks of indentation, one entry a line, one blank
 * line between definitions. Order and comments stay; formatting twice changes nothing.
 */
public final class Formatter {
  private Formatter() {}

  /** What a formatter answers. */
  public sealed interface Result {}

  /** The source in canonical form. */
  public record Formatted(String source) implements Result {}

  /** What keeps the source from being understood; the source stays as it is. */
  public record Refused(List<Diagnostic> diagnostics) implements Result {
    public Refused {
      diagnostics = List.copyOf(diagnostics);
    }
  }

  /** Only the grammar counts: what is well written and makes no sense is formatted too. */
  public static Result format(String fileName, String source) {
    var diagnostics = new Diagnostics(fileName);
    var parsed = Parser.parse(source, diagnostics);
    return diagnostics.size() == 0
        ? new Formatted(Printer.format(source, parsed))
        : new Refused(diagnostics.sorted());
  }
}
