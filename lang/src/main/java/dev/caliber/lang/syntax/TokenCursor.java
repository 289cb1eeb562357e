package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.diagnostic.Wording;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the parser is. It remembers which brackets are open, so that recovery can tell its own
 * level from those inside. A closing brace also closes what was left open inside its braces.
 */
final class TokenCursor {
  private final List<Token> tokens;
  private final Diagnostics diagnostics;
  private final List<TokenKind> open = new ArrayList<>();
  private int braces;
  private int position;

  TokenCursor(List<Token> tokens, Diagnostics diagnostics) {
    this.tokens = tokens;
    this.diagnostics = diagnostics;
  }

  Token peek() {
    return peek(0);
  }

  Token peek(int ahead) {
    return tokens.get(Math.min(position + ahead, tokens.size() - 1));
  }

  Token previous() {
    return tokens.get(Math.max(position - 1, 0));
  }

  boolean at(TokenKind kind) {
    return peek().is(kind);
  }

  boolean at(String word) {
    return peek().is(word);
  }

  boolean atEnd() {
    return at(TokenKind.END);
  }

  int position() {
    return position;
  }

  Token next() {
    var token = peek();
    int depth = depthAfter(token);
    if (token.kind().opens()) {
      open(token.kind());
    } else {
      unwindTo(depth);
    }
    position = Math.min(position + 1, tokens.size() - 1);
    return token;
  }

  /** How many brackets are open. */
  int depth() {
    return open.size();
  }

  /** How many brackets would be open behind the token. */
  int depthAfter(Token token) {
    if (!token.kind().closes()) {
      return open.size() + (token.kind().opens() ? 1 : 0);
    }
    var opener = token.kind().opener();
    boolean brace = opener == TokenKind.LEFT_BRACE;
    if (brace && braces == 0) {
      return open.size();
    }
    int lowest = brace ? 0 : Math.max(0, open.size() - SyntaxBounds.NESTING);
    for (int i = open.size() - 1; i >= lowest; i--) {
      if (open.get(i) == opener) {
        return i;
      }
      if (open.get(i) == TokenKind.LEFT_BRACE) {
        break;
      }
    }
    return open.size();
  }

  void unwindTo(int depth) {
    while (open.size() > depth) {
      braces -= open.removeLast() == TokenKind.LEFT_BRACE ? 1 : 0;
    }
  }

  /** Counts a bracket as open, also one that is only imagined. */
  void open(TokenKind bracket) {
    open.add(bracket);
    braces += bracket == TokenKind.LEFT_BRACE ? 1 : 0;
  }

  Token expect(TokenKind kind, String where) {
    if (!at(kind)) {
      throw unexpected(kind.title() + " " + where);
    }
    return next();
  }

  Token expectWord(String word, String where) {
    if (!at(word)) {
      throw unexpected("'" + word + "' " + where);
    }
    return next();
  }

  /** One of the words; another word is unknown, anything else is unexpected. */
  Token expectOneOf(List<String> words, String what) {
    var token = peek();
    if (token.is(TokenKind.IDENTIFIER) && words.contains(token.text())) {
      return next();
    }
    if (token.is(TokenKind.IDENTIFIER)) {
      throw fail(
          DiagnosticCode.UNKNOWN_WORD,
          token.span(),
          "unknown " + what + " " + token.describe(),
          Wording.suggest(what, token.text(), words));
    }
    throw unexpected(what + ": " + Wording.list(words));
  }

  Unparsable unexpected(String wanted) {
    var found = peek();
    return fail(
        DiagnosticCode.UNEXPECTED_TOKEN,
        found.span(),
        "unexpected " + found.describe(),
        "write " + wanted);
  }

  Unparsable fail(DiagnosticCode code, Span span, String message, String suggestion) {
    diagnostics.report(code, span, message, suggestion);
    return new Unparsable();
  }

  void report(DiagnosticCode code, Span span, String message, String suggestion) {
    diagnostics.report(code, span, message, suggestion);
  }

  /** From the token to the last one that was taken. */
  Origin since(Token first) {
    return new Origin(Span.between(first.span(), previous().span()));
  }

  /** Whether a definition begins here, whatever is still open. */
  boolean atDefinition() {
    if (!at(TokenKind.IDENTIFIER) || !peek(1).is(TokenKind.IDENTIFIER)) {
      return false;
    }
    return switch (peek().text()) {
      case Keywords.MEMORY, Keywords.POLICY, Keywords.ADAPTER -> peek(2).is(TokenKind.LEFT_BRACE);
      case Keywords.INJECT -> peek(2).is(Keywords.INTO);
      default -> false;
    };
  }
}
