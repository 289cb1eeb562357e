package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.diagnostic.SpanLocator;

/** Positions inside a text of a source; with escapes or several lines, the whole text. */
public record TextSpanLocator(TextNode text) implements SpanLocator {
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
