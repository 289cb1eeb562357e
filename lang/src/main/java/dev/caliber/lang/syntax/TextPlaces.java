package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.Places;
import dev.caliber.lang.diagnostic.Span;

/** The places inside a text of a source; of one with escapes or several lines, the whole. */
public record TextPlaces(Text text) implements Places {
  @Override
  public Span span(int from, int to) {
    var whole = text.span();
    return text.isVerbatim()
        ? new Span(whole.line(), column(from), whole.line(), column(to))
        : whole;
  }

  private int column(int offset) {
    return text.span().column() + 1 + text.value().codePointCount(0, offset);
  }
}
