package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Parses braces with fields and brackets with entries, and recovers from what is wrong in them. */
final class BlockParser {
  private final TokenCursor cursor;
  private boolean damaged;

  BlockParser(TokenCursor cursor) {
    this.cursor = cursor;
  }

  /** Whether something was left out since the last call. */
  boolean takeDamage() {
    boolean was = damaged;
    damaged = false;
    return was;
  }

  /** The fields between braces; after a mistake it goes on with the next field. */
  <F> List<F> body(String owner, List<String> words, Supplier<F> field) {
    var fields = new ArrayList<F>();
    var brace = openBody(owner, words);
    int depth = cursor.depth();
    while (!cursor.at(TokenKind.RIGHT_BRACE)) {
      if (cursor.atEnd() || cursor.atDefinition()) {
        unclosed(owner, brace);
        cursor.unwindTo(depth - 1);
        return fields;
      }
      int start = cursor.position();
      try {
        fields.add(field.get());
      } catch (Unparsable _) {
        damaged = true;
        skipToField(depth, start, words);
      }
    }
    cursor.next();
    return fields;
  }

  /** Takes the brace; one that is missing before a field is reported and imagined. */
  private Token openBody(String owner, List<String> words) {
    if (!cursor.at(TokenKind.LEFT_BRACE) && atField(words)) {
      damaged = true;
      var _ = cursor.unexpected(TokenKind.LEFT_BRACE.title() + " after " + owner);
      cursor.open(TokenKind.LEFT_BRACE);
      return cursor.peek();
    }
    return cursor.expect(TokenKind.LEFT_BRACE, "after " + owner);
  }

  private void unclosed(String owner, Token brace) {
    damaged = true;
    cursor.report(
        DiagnosticCode.UNCLOSED_BLOCK,
        cursor.peek().span(),
        "the '{' of " + owner + " in line " + brace.span().line() + " is not closed",
        "write '}' before " + cursor.peek().describe());
  }

  private void skipToField(int depth, int start, List<String> words) {
    while (!cursor.atEnd() && !cursor.atDefinition()) {
      if (cursor.depthAfter(cursor.peek()) < depth) {
        break;
      }
      boolean moved = cursor.position() > start;
      if (moved && atField(words) && (cursor.depth() == depth || startsLine())) {
        break;
      }
      cursor.next();
    }
    cursor.unwindTo(depth);
  }

  private boolean startsLine() {
    return cursor.peek().span().line() > cursor.previous().span().endLine();
  }

  private boolean atField(List<String> words) {
    return cursor.at(TokenKind.IDENTIFIER)
        && words.contains(cursor.peek().text())
        && (cursor.at(Keywords.ON) || cursor.peek(1).is(TokenKind.COLON));
  }

  /** Entries of a list that has at least one; the first mistake ends it. */
  <T> List<T> entries(TokenKind opening, TokenKind closing, String what, Supplier<T> entry) {
    var entries = new ArrayList<T>();
    open(opening, closing, what);
    do {
      entries.add(entry.get());
    } while (another(closing, what, _ -> false));
    cursor.expect(closing, "after " + what);
    return entries;
  }

  /** The same; after a mistake it goes on with the next entry. */
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
      } catch (Unparsable e) {
        damaged = true;
        skipEntry(depth, e);
      }
    } while (another(closing, what, starts));
    cursor.expect(closing, "or ',' after " + what);
    if (entries.isEmpty()) {
      throw new Unparsable();
    }
    return entries;
  }

  private void open(TokenKind opening, TokenKind closing, String what) {
    var first = cursor.expect(opening, "with " + what);
    if (cursor.at(closing)) {
      cursor.next();
      throw cursor.fail(
          DiagnosticCode.EMPTY_LIST,
          cursor.since(first).span(),
          "there is no " + what + " here",
          "write at least one, or leave the field out");
    }
  }

  /** Takes the comma between two entries; one that is missing is reported and imagined. */
  private boolean another(TokenKind closing, String what, Predicate<Token> starts) {
    if (cursor.at(TokenKind.COMMA)) {
      var comma = cursor.next();
      if (cursor.at(closing)) {
        cursor.report(
            DiagnosticCode.MISSING_SEPARATOR,
            comma.span(),
            "a comma without " + what + " after it",
            "leave the comma out");
        return false;
      }
      return true;
    }
    if (cursor.at(closing) || !starts.test(cursor.peek())) {
      return false;
    }
    cursor.report(
        DiagnosticCode.MISSING_SEPARATOR,
        cursor.previous().span().after(),
        "no comma between " + cursor.previous().describe() + " and " + cursor.peek().describe(),
        "write ',' here");
    return true;
  }

  private void skipEntry(int depth, Unparsable failure) {
    while (cursor.depthAfter(cursor.peek()) >= depth) {
      if (cursor.atEnd() || cursor.atDefinition()) {
        throw failure;
      }
      if (cursor.at(TokenKind.COMMA) && cursor.depth() == depth) {
        return;
      }
      cursor.next();
    }
    cursor.unwindTo(depth);
  }
}
