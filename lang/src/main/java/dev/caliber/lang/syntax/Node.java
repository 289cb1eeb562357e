package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.Span;

/** A part of a tree that knows where it was written. */
public interface Node {
  Origin origin();

  default Span span() {
    return origin().span();
  }
}
