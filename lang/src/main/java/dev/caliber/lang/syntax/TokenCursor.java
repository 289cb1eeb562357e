package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.NodeOrigin;
import dev.caliber.lang.ast.SyntaxBounds;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import java.util.ArrayList;
import java.util.List;

/**
 * The parser's position. It tracks open brackets, so that recovery can tell its own level from
 * inner ones. A closing brace also closes the brackets left open inside its braces.
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

  boolean isAt(TokenKind kind) {
    return peek().is(kind);
  }

  boolean isAt(String word) {
    return peek().is(word);
  }

  boolean isAtEnd() {
    return isAt(TokenKind.END);
  }

  int position() {
    return position;
  }

  Token next() {
    var token = peek();
    int depth = depthAfter(token);
    if (token.kind().isOpening()) {
      countOpened(token.kind());
    } else {
      unwindTo(depth);
    }
    position = Math.min(position + 1, tokens.size() - 1);
    return token;
  }

  /** Returns the number of open brackets. */
  int depth() {
    return open.size();
  }

  /** Returns the number of open brackets behind the token. */
  int depthAfter(Token token) {
    if (!token.kind().isClosing()) {
      return open.size() + (token.kind().isOpening() ? 1 : 0);
    }
    var opener = token.kind().matchingOpener();
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

  /** Counts a bracket as open, even an assumed one. */
  void countOpened(TokenKind bracket) {
    open.add(bracket);
    braces += bracket == TokenKind.LEFT_BRACE ? 1 : 0;
  }

  Token expect(TokenKind kind, String where) {
    if (!isAt(kind)) {
      throw unexpected(kind.title() + " " + where);
    }
    return next();
  }

  Token expectWord(String word, String where) {
    if (!isAt(word)) {
      throw unexpected("'" + word + "' " + where);
    }
    return next();
  }

  /** Accepts one of the words; another word is unknown, anything else is unexpected. */
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
          DiagnosticText.suggest(what, token.text(), words));
    }
    throw unexpected(what + ": " + DiagnosticText.list(words));
  }

  UnparsableException unexpected(String wanted) {
    var found = peek();
    return fail(
        DiagnosticCode.UNEXPECTED_TOKEN,
        found.span(),
        "unexpected " + found.describe(),
        "write " + wanted);
  }

  UnparsableException fail(DiagnosticCode code, Span span, String message, String suggestion) {
    diagnostics.report(code, span, message, suggestion);
    return new UnparsableException();
  }

  void report(DiagnosticCode code, Span span, String message, String suggestion) {
    diagnostics.report(code, span, message, suggestion);
  }

  /** Returns the origin from the token to the last accepted one. */
  NodeOrigin originSince(Token first) {
    return new NodeOrigin(Span.between(first.span(), previous().span()));
  }

  /** Returns whether a definition begins here, whatever brackets are open. */
  boolean isAtDefinition() {
    if (!isAt(TokenKind.IDENTIFIER) || !peek(1).is(TokenKind.IDENTIFIER)) {
      return false;
    }
    return switch (peek().text()) {
      case Keywords.MEMORY, Keywords.POLICY, Keywords.ADAPTER -> peek(2).is(TokenKind.LEFT_BRACE);
      case Keywords.INJECT -> peek(2).is(Keywords.INTO);
      default -> false;
    };
  }
}
