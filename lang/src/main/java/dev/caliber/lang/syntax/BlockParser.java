package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Parses braces with fields and brackets with entries, and recovers from errors in them. */
final class BlockParser {
  private final TokenCursor cursor;
  private boolean damaged;

  BlockParser(TokenCursor cursor) {
    this.cursor = cursor;
  }

  /** Returns whether something was left out since the last call. */
  boolean takeDamage() {
    boolean was = damaged;
    damaged = false;
    return was;
  }

  /** Parses the fields between braces; after an error it continues with the next field. */
  <F> List<F> body(String owner, List<String> words, Supplier<F> field) {
    var fields = new ArrayList<F>();
    var brace = openBody(owner, words);
    int depth = cursor.depth();
    while (!cursor.isAt(TokenKind.RIGHT_BRACE)) {
      if (cursor.isAtEnd() || cursor.isAtDefinition()) {
        reportUnclosed(owner, brace);
        cursor.unwindTo(depth - 1);
        return fields;
      }
      int start = cursor.position();
      try {
        fields.add(field.get());
      } catch (UnparsableException _) {
        damaged = true;
        skipToField(depth, start, words);
      }
    }
    cursor.next();
    return fields;
  }

  /** Accepts the opening brace; a missing one before a field is reported and assumed. */
  private Token openBody(String owner, List<String> words) {
    if (!cursor.isAt(TokenKind.LEFT_BRACE) && isAtField(words)) {
      damaged = true;
      var _ = cursor.unexpected(TokenKind.LEFT_BRACE.title() + " after " + owner);
      cursor.countOpened(TokenKind.LEFT_BRACE);
      return cursor.peek();
    }
    return cursor.expect(TokenKind.LEFT_BRACE, "after " + owner);
  }

  private void reportUnclosed(String owner, Token brace) {
    damaged = true;
    cursor.report(
        DiagnosticCode.UNCLOSED_BLOCK,
        cursor.peek().span(),
        "the '{' of " + owner + " in line " + brace.span().line() + " is not closed",
        "write '}' before " + cursor.peek().describe());
  }

  private void skipToField(int depth, int start, List<String> words) {
    while (!cursor.isAtEnd() && !cursor.isAtDefinition()) {
      if (cursor.depthAfter(cursor.peek()) < depth) {
        break;
      }
      boolean moved = cursor.position() > start;
      if (moved && isAtField(words) && (cursor.depth() == depth || isAtLineStart())) {
        break;
      }
      cursor.next();
    }
    cursor.unwindTo(depth);
  }

  private boolean isAtLineStart() {
    return cursor.peek().span().line() > cursor.previous().span().endLine();
  }

  private boolean isAtField(List<String> words) {
    return cursor.isAt(TokenKind.IDENTIFIER)
        && words.contains(cursor.peek().text())
        && (cursor.isAt(Keywords.ON) || cursor.peek(1).is(TokenKind.COLON));
  }

  /** Parses a list of at least one entry; the first error ends it. */
  <T> List<T> entries(TokenKind opening, TokenKind closing, String what, Supplier<T> entry) {
    var entries = new ArrayList<T>();
    open(opening, closing, what);
    do {
      entries.add(entry.get());
    } while (acceptSeparator(closing, what, _ -> false));
    cursor.expect(closing, "after " + what);
    return entries;
  }

  /** Parses a list of at least one entry; after an error it continues with the next entry. */
  <T> List<T> resilientEntries(
      TokenKind opening,
      TokenKind closing,
      String what,
      Predicate<Token> starts,
      Supplier<T> entry) {
    var entries = new ArrayList<T>();
    open(opening, closing, what);
    int depth = cursor.depth();
    do {
      try {
        entries.add(entry.get());
      } catch (UnparsableException e) {
        damaged = true;
        skipEntry(depth, e);
      }
    } while (acceptSeparator(closing, what, starts));
    cursor.expect(closing, "or ',' after " + what);
    if (entries.isEmpty()) {
      throw new UnparsableException();
    }
    return entries;
  }

  private void open(TokenKind opening, TokenKind closing, String what) {
    var first = cursor.expect(opening, "with " + what);
    if (cursor.isAt(closing)) {
      cursor.next();
      throw cursor.fail(
          DiagnosticCode.EMPTY_LIST,
          cursor.originSince(first).span(),
          "expected " + what + " here",
          "write at least one, or remove the field");
    }
  }

  /** Accepts the comma between two entries; a missing one is reported and assumed. */
  private boolean acceptSeparator(TokenKind closing, String what, Predicate<Token> starts) {
    if (cursor.isAt(TokenKind.COMMA)) {
      var comma = cursor.next();
      if (cursor.isAt(closing)) {
        cursor.report(
            DiagnosticCode.MISSING_SEPARATOR,
            comma.span(),
            "a comma without " + what + " after it",
            "remove the comma");
        return false;
      }
      return true;
    }
    if (cursor.isAt(closing) || !starts.test(cursor.peek())) {
      return false;
    }
    cursor.report(
        DiagnosticCode.MISSING_SEPARATOR,
        cursor.previous().span().endPoint(),
        "no comma between " + cursor.previous().describe() + " and " + cursor.peek().describe(),
        "write ',' here");
    return true;
  }

  private void skipEntry(int depth, UnparsableException failure) {
    while (cursor.depthAfter(cursor.peek()) >= depth) {
      if (cursor.isAtEnd() || cursor.isAtDefinition()) {
        throw failure;
      }
      if (cursor.isAt(TokenKind.COMMA) && cursor.depth() == depth) {
        return;
      }
      cursor.next();
    }
    cursor.unwindTo(depth);
  }
}
