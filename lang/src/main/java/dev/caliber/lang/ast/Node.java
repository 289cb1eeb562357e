package dev.caliber.lang.ast;

import dev.caliber.lang.diagnostic.Span;

/** A part of a tree that knows its position. */
public interface Node {
  NodeOrigin origin();

  default Span span() {
    return origin().span();
  }
}
