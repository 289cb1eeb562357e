package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Span;

/** A word, sign, number or text of a source; {@code text} is its value, with escapes resolved. */
record Token(TokenKind kind, String text, Span span) {
  boolean is(TokenKind wanted) {
    return kind == wanted;
  }

  boolean is(String word) {
    return kind == TokenKind.IDENTIFIER && text.equals(word);
  }

  /** Returns the token as diagnostics name it. */
  String describe() {
    return switch (kind) {
      case STRING -> "the text " + DiagnosticText.quote(text);
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
          DiagnosticText.quote(text);
    };
  }
}
