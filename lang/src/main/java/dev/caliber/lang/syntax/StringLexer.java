package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.SyntaxBounds;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;

/** Reads a text and resolves its escapes. A text ends on its line. */
final class StringLexer {
  private static final int HEX_DIGITS = 4;
  private static final int HEX = 16;

  private final SourceReader reader;
  private final Diagnostics diagnostics;
  private final StringBuilder value = new StringBuilder();

  StringLexer(SourceReader reader, Diagnostics diagnostics) {
    this.reader = reader;
    this.diagnostics = diagnostics;
  }

  Token lex() {
    var start = reader.currentSpan();
    reader.next();
    while (reader.peek() != '"' && !reader.isAtLineEnd()) {
      if (reader.peek() == '\\') {
        escape();
      } else {
        value.appendCodePoint(reader.next());
      }
    }
    if (reader.peek() == '"') {
      reader.next();
    } else {
      diagnostics.report(
          DiagnosticCode.UNTERMINATED_STRING,
          reader.spanSince(start),
          "the text " + DiagnosticText.quote(value.toString()) + " has no end on its line",
          "close it with \"; a line break inside a text is written \\n");
    }
    return new Token(
        TokenKind.STRING, validValue(reader.spanSince(start)), reader.spanSince(start));
  }

  private String validValue(Span span) {
    if (value.length() > SyntaxBounds.TEXT) {
      diagnostics.report(
          DiagnosticCode.TOKEN_TOO_LONG,
          span,
          "a text of " + value.length() + " characters",
          "at most " + SyntaxBounds.TEXT + " characters");
      return "too long";
    }
    if (value.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
      reportInvalid(span, "half of a surrogate pair without the other half");
      return "broken";
    }
    return value.toString();
  }

  private void escape() {
    var start = reader.currentSpan();
    reader.next();
    if (reader.isAtLineEnd()) {
      return; // the missing quotation mark is reported
    }
    int character = reader.next();
    switch (character) {
      case '"', '\\', '/' -> value.appendCodePoint(character);
      case 'b' -> value.append('\b');
      case 'f' -> value.append('\f');
      case 'n' -> value.append('\n');
      case 'r' -> value.append('\r');
      case 't' -> value.append('\t');
      case 'u' -> unicode(start);
      default ->
          reportInvalid(reader.spanSince(start), "there is no escape for " + quoted(character));
    }
  }

  private void unicode(Span start) {
    int code = 0;
    for (int i = 0; i < HEX_DIGITS; i++) {
      int digit = reader.peek() < 0x80 ? Character.digit(reader.peek(), HEX) : -1;
      if (digit < 0) {
        reportInvalid(reader.spanSince(start), "\\u needs four hexadecimal digits");
        return;
      }
      code = code * HEX + digit;
      reader.next();
    }
    value.append((char) code);
  }

  private static String quoted(int character) {
    return DiagnosticText.quote(Character.toString(character));
  }

  private void reportInvalid(Span span, String message) {
    diagnostics.report(
        DiagnosticCode.INVALID_ESCAPE,
        span,
        message,
        "write one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000");
  }
}
