package dev.caliber.lang.syntax;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.KernelException;
import dev.caliber.lang.ast.SyntaxBounds;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import java.util.regex.Pattern;

/** Reads a number or a duration. An error is reported, and a replacement value is used. */
final class NumberLexer {
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");
  private static final Pattern DURATION = Pattern.compile("[0-9]+[smhdw]");
  private static final Pattern EXPONENT = Pattern.compile("-?[0-9.]+[eE][0-9]*");
  private static final Pattern LETTER = Pattern.compile("[^0-9.-]");

  private final SourceReader reader;
  private final Diagnostics diagnostics;

  NumberLexer(SourceReader reader, Diagnostics diagnostics) {
    this.reader = reader;
    this.diagnostics = diagnostics;
  }

  static boolean startsNumber(SourceReader reader) {
    int first = reader.peek();
    return isDigit(first)
        || ((first == '-' || first == '.') && isDigit(reader.peekSecond()))
        || reader.isAt('-', '.');
  }

  Token lex() {
    var start = reader.currentSpan();
    int from = reader.index();
    do {
      reader.next();
    } while (isDigit(reader.peek())
        || reader.peek() == '.'
        || reader.peek() == '_'
        || Character.isLetter(reader.peek()));
    String text = reader.textFrom(from);
    var span = reader.spanSince(start);
    if (text.length() > SyntaxBounds.NUMBER) {
      diagnostics.report(
          DiagnosticCode.TOKEN_TOO_LONG,
          span,
          "a number of " + text.length() + " characters",
          "at most " + SyntaxBounds.NUMBER + " characters");
      return new Token(TokenKind.NUMBER, "1", span);
    }
    if (NUMBER.matcher(text).matches()) {
      return new Token(TokenKind.NUMBER, text, span);
    }
    boolean duration = LETTER.matcher(text).find() && !EXPONENT.matcher(text).matches();
    return duration ? duration(text, span) : invalidNumber(text, span);
  }

  private Token duration(String text, Span span) {
    if (!DURATION.matcher(text).matches()) {
      diagnostics.report(
          DiagnosticCode.INVALID_DURATION,
          span,
          DiagnosticText.quote(text) + " is not a duration",
          "write a whole number and s, m, h, d or w, such as 30d");
      return new Token(TokenKind.DURATION, "1s", span);
    }
    try {
      Durations.parse(text);
      return new Token(TokenKind.DURATION, text, span);
    } catch (KernelException _) {
      diagnostics.report(
          DiagnosticCode.INVALID_DURATION,
          span,
          DiagnosticText.quote(text) + " is too long to be counted",
          "write 'persistent' for records that are kept for ever, or a shorter duration");
      return new Token(TokenKind.DURATION, "1s", span);
    }
  }

  private Token invalidNumber(String text, Span span) {
    diagnostics.report(
        DiagnosticCode.INVALID_NUMBER,
        span,
        DiagnosticText.quote(text) + " is not a number",
        "write digits, or digits, a point and digits, such as 0.5");
    String standIn = text.startsWith(".") ? "0" + text : text;
    return new Token(TokenKind.NUMBER, NUMBER.matcher(standIn).matches() ? standIn : "1", span);
  }

  private static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }
}
