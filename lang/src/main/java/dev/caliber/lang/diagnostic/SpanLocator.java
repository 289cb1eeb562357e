package dev.caliber.lang.diagnostic;

/** Maps a range of a text to its position in a file. */
@FunctionalInterface
public interface SpanLocator {
  /** Returns the span of the characters from one offset up to, and without, another. */
  Span span(int from, int to);
}
