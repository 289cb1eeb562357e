package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.Span;
import org.jspecify.annotations.Nullable;

/**
 * Where a node of a tree comes from. All origins are equal, so that trees compare by what they say
 * and not by where it was written.
 */
public record Origin(Span span) {
  /** Of nodes that nobody wrote in a source. */
  public static final Origin NONE = new Origin(new Span(1, 1, 1, 1));

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Origin;
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
