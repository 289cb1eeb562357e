package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.diagnostic.Wording;

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
    var start = reader.here();
    reader.next();
    while (reader.peek() != '"' && !reader.atLineEnd()) {
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
          reader.since(start),
          "the text " + Wording.quote(value.toString()) + " has no end on its line",
          "close it with \"; a line break inside a text is written \\n");
    }
    return new Token(TokenKind.STRING, checked(reader.since(start)), reader.since(start));
  }

  private String checked(Span span) {
    if (value.length() > SyntaxBounds.TEXT) {
      diagnostics.report(
          DiagnosticCode.TOKEN_TOO_LONG,
          span,
          "a text of " + value.length() + " characters",
          "at most " + SyntaxBounds.TEXT + " characters");
      return "too long";
    }
    if (value.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
      invalid(span, "half of a surrogate pair stands alone");
      return "broken";
    }
    return value.toString();
  }

  private void escape() {
    var start = reader.here();
    reader.next();
    if (reader.atLineEnd()) {
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
      default -> invalid(reader.since(start), "there is no escape for " + quoted(character));
    }
  }

  private void unicode(Span start) {
    int code = 0;
    for (int i = 0; i < HEX_DIGITS; i++) {
      int digit = reader.peek() < 0x80 ? Character.digit(reader.peek(), HEX) : -1;
      if (digit < 0) {
        invalid(reader.since(start), "\\u needs four hexadecimal digits");
        return;
      }
      code = code * HEX + digit;
      reader.next();
    }
    value.append((char) code);
  }

  private static String quoted(int character) {
    return Wording.quote(Character.toString(character));
  }

  private void invalid(Span span, String message) {
    diagnostics.report(
        DiagnosticCode.INVALID_ESCAPE,
        span,
        message,
        "write one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000");
  }
}
