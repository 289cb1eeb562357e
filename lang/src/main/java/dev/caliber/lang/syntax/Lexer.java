package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.SyntaxBounds;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import java.util.ArrayList;
import java.util.List;

/** Divides a source into tokens and comments; an erroneous token is reported and replaced. */
final class Lexer {
  private static final int BYTE_ORDER_MARK = 0xFEFF;

  private final SourceReader reader;
  private final Diagnostics diagnostics;
  private final List<Token> tokens = new ArrayList<>();
  private final List<Comment> comments = new ArrayList<>();
  private boolean blocksEnd = true;

  Lexer(String source, Diagnostics diagnostics) {
    this(new SourceReader(source), diagnostics);
  }

  Lexer(SourceReader reader, Diagnostics diagnostics) {
    this.reader = reader;
    this.diagnostics = diagnostics;
  }

  /** The tokens and comments of a source; the last token is the end. */
  record LexResult(List<Token> tokens, List<Comment> comments) {}

  LexResult lex() {
    if (reader.peek() == BYTE_ORDER_MARK) {
      reader.next();
    }
    while (reader.peek() != SourceReader.END) {
      lexOne(reader.peek());
    }
    tokens.add(new Token(TokenKind.END, "", reader.currentSpan()));
    return new LexResult(tokens, comments);
  }

  private void lexOne(int character) {
    if (character == ' ' || character == '\t' || character == '\n' || character == '\r') {
      reader.next();
    } else if (reader.isAt('/', '/')) {
      comment();
    } else if (character == '"') {
      tokens.add(new StringLexer(reader, diagnostics).lex());
    } else if (NumberLexer.startsNumber(reader)) {
      tokens.add(new NumberLexer(reader, diagnostics).lex());
    } else if (Character.isLetter(character) || character == '_') {
      identifier();
    } else {
      sign(character);
    }
  }

  private void comment() {
    var start = reader.currentSpan();
    boolean trailing = !tokens.isEmpty() && tokens.getLast().span().endLine() == start.line();
    int from = reader.index();
    skipLine();
    comments.add(
        new Comment(reader.textFrom(from).stripTrailing(), reader.spanSince(start), trailing));
  }

  private void identifier() {
    var start = reader.currentSpan();
    int from = reader.index();
    while (isNamePart(reader.peek()) || isHyphen()) {
      reader.next();
    }
    String text = reader.textFrom(from);
    var span = reader.spanSince(start);
    String name = Identifiers.nearest(text);
    if (text.length() > SyntaxBounds.IDENTIFIER) {
      reportTooLong(span, "name", text.length(), SyntaxBounds.IDENTIFIER);
    } else if (!name.equals(text)) {
      diagnostics.report(
          DiagnosticCode.INVALID_IDENTIFIER,
          span,
          DiagnosticText.quote(text) + " is not a name: names are made of a-z, 0-9 and _",
          "write " + DiagnosticText.quote(name));
    }
    tokens.add(new Token(TokenKind.IDENTIFIER, name, span));
  }

  private static boolean isNamePart(int character) {
    return Character.isLetterOrDigit(character) || character == '_';
  }

  /** Returns whether a hyphen is inside a name: it is an error in one name, not two names. */
  private boolean isHyphen() {
    return reader.peek() == '-' && Character.isLetter(reader.peekSecond());
  }

  private void sign(int character) {
    var start = reader.currentSpan();
    switch (character) {
      case '{' -> single(TokenKind.LEFT_BRACE);
      case '}' -> single(TokenKind.RIGHT_BRACE);
      case '(' -> single(TokenKind.LEFT_PARENTHESIS);
      case ')' -> single(TokenKind.RIGHT_PARENTHESIS);
      case '[' -> single(TokenKind.LEFT_BRACKET);
      case ']' -> single(TokenKind.RIGHT_BRACKET);
      case ':' -> single(TokenKind.COLON);
      case ',' -> single(TokenKind.COMMA);
      case '~' -> single(TokenKind.COMPARATOR);
      case '=', '<', '>', '!' -> comparator(start);
      default -> reportUnexpected(start);
    }
  }

  private void single(TokenKind kind) {
    var start = reader.currentSpan();
    tokens.add(new Token(kind, Character.toString(reader.next()), reader.spanSince(start)));
  }

  private void comparator(Span start) {
    if (reader.isAt('!', '=')
        || reader.isAt('<', '=')
        || reader.isAt('>', '=')
        || reader.isAt('=', '=')) {
      String text = Character.toString(reader.next()) + Character.toString(reader.next());
      var span = reader.spanSince(start);
      if (text.equals("==")) {
        reportUnexpected(span, text, "write '='");
        text = "=";
      }
      tokens.add(new Token(TokenKind.COMPARATOR, text, span));
    } else if (reader.peek() == '!') {
      reportUnexpected(start);
    } else {
      single(TokenKind.COMPARATOR);
    }
  }

  private void reportUnexpected(Span start) {
    int from = reader.index();
    if (reader.peek() == '#') {
      skipLine();
      reportUnexpected(reader.spanSince(start), "#", "comments begin with //");
    } else if (reader.isAt('/', '*')) {
      skipBlock();
      reportUnexpected(
          reader.spanSince(start), "/*", "comments begin with // and end with their line");
    } else {
      while (isUnexpected(reader.peek())) {
        reader.next();
      }
      if (reader.index() == from) {
        reader.next();
      }
      String text = reader.textFrom(from);
      reportUnexpected(reader.spanSince(start), text, advice(text));
    }
  }

  private void reportUnexpected(Span span, String text, String suggestion) {
    diagnostics.report(
        DiagnosticCode.UNEXPECTED_CHARACTER,
        span,
        DiagnosticText.quote(text) + " is not part of the language",
        suggestion);
  }

  private static String advice(String text) {
    return switch (text) {
      case "&", "&&" -> "write 'and'";
      case "|", "||" -> "write 'or'";
      case "!" -> "write '!=' for unequal values";
      case ";" -> "remove it: fields need no separator";
      case "'" -> "texts stand between \" and \"";
      default -> "remove it";
    };
  }

  /** Returns whether no token of the language can begin with the character. */
  private static boolean isUnexpected(int character) {
    return character > ' '
        && "{}()[]:,~=<>!\"/#-._".indexOf(character) < 0
        && !Character.isLetterOrDigit(character);
  }

  private void skipLine() {
    while (!reader.isAtLineEnd()) {
      reader.next();
    }
  }

  private void skipBlock() {
    int end = blocksEnd ? reader.find("*/") : -1;
    blocksEnd = end >= 0;
    int stop = end < 0 ? reader.index() + 2 : end + 2;
    while (reader.index() < stop) {
      reader.next();
    }
  }

  private void reportTooLong(Span span, String what, int found, int allowed) {
    diagnostics.report(
        DiagnosticCode.TOKEN_TOO_LONG,
        span,
        "a " + what + " of " + found + " characters",
        "at most " + allowed + " characters");
  }
}
