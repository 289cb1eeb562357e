package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.diagnostic.Wording;

/** One word, sign, number or text of a source; {@code text} is what it means, not how it looks. */
record Token(TokenKind kind, String text, Span span) {
  boolean is(TokenKind wanted) {
    return kind == wanted;
  }

  boolean is(String word) {
    return kind == TokenKind.IDENTIFIER && text.equals(word);
  }

  /** As diagnostics call it. */
  String describe() {
    return switch (kind) {
      case STRING -> "the text " + Wording.quote(text);
      case END -> kind.title();
      case IDENTIFIER,
          NUMBER,
          DURATION,
          LEFT_BRACE,
          RIGHT_BRACE,
          LEFT_PARENTHESIS,
          RIGHT_PARENTHESIS,
          LEFT_BRACKET,
          RIGHT_BRACKET,
          COLON,
          COMMA,
          COMPARATOR ->
          Wording.quote(text);
    };
  }
}
