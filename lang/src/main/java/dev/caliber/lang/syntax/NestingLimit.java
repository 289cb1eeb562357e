package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.SyntaxBounds;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import java.util.function.Supplier;

/** Limits the depth of the parser, so that it cannot exhaust the stack. */
final class NestingLimit {
  private final TokenCursor cursor;
  private int depth;

  NestingLimit(TokenCursor cursor) {
    this.cursor = cursor;
  }

  <T> T parseNested(Supplier<T> parser) {
    if (depth == SyntaxBounds.NESTING) {
      throw cursor.fail(
          DiagnosticCode.NESTING_TOO_DEEP,
          cursor.peek().span(),
          "this is nested more than " + SyntaxBounds.NESTING + " levels deep",
          "write this part with fewer levels");
    }
    depth++;
    try {
      return parser.get();
    } finally {
      depth--;
    }
  }
}
