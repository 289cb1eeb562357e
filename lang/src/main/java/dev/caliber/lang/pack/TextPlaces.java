package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.Places;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.syntax.Text;

/**
 * The places inside a text of {@code cal.toml}; of one with escapes or several lines, the whole.
 */
record TextPlaces(Text text) implements Places {
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
