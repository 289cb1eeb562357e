package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import java.util.function.Supplier;

/** Keeps the parser from going deeper than its bound, and so from exhausting the stack. */
final class Nesting {
  private final TokenCursor cursor;
  private int depth;

  Nesting(TokenCursor cursor) {
    this.cursor = cursor;
  }

  <T> T inside(Supplier<T> parser) {
    if (depth == SyntaxBounds.NESTING) {
      throw cursor.fail(
          DiagnosticCode.NESTING_TOO_DEEP,
          cursor.peek().span(),
          "this is nested more than " + SyntaxBounds.NESTING + " levels deep",
          "write it flatter");
    }
    depth++;
    try {
      return parser.get();
    } finally {
      depth--;
    }
  }
}
