package dev.caliber.lang.ast;

import dev.caliber.lang.diagnostic.Span;
import org.jspecify.annotations.Nullable;

/**
 * The position that a node of a tree comes from. All origins are equal, so that trees compare by
 * content and not by position.
 */
public record NodeOrigin(Span span) {
  /** Origin of nodes that come from no source. */
  public static final NodeOrigin NONE = new NodeOrigin(new Span(1, 1, 1, 1));

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NodeOrigin;
  }

  @Override
  public int hashCode() {
    return 0;
  }

  @Override
  public String toString() {
    return span.toString();
  }
}
