package dev.caliber.lang.diagnostic;

/** Tells where in a file a stretch of some text stands. */
@FunctionalInterface
public interface Places {
  /** The place of the characters from one offset up to, and without, another. */
  Span span(int from, int to);
}
