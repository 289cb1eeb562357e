package dev.caliber.lang.diagnostic;

import java.util.Comparator;

/**
 * A range of source. Lines and columns count from 1, columns in code points; the end is the
 * position just after the last character.
 */
public record Span(int line, int column, int endLine, int endColumn) implements Comparable<Span> {
  private static final Comparator<Span> ORDER =
      Comparator.comparingInt(Span::line)
          .thenComparingInt(Span::column)
          .thenComparingInt(Span::endLine)
          .thenComparingInt(Span::endColumn);

  public Span {
    boolean backwards = endLine < line || (endLine == line && endColumn < column);
    if (line < 1 || column < 1 || endColumn < 1 || backwards) {
      throw new IllegalArgumentException(
          "expected a span from 1:1 on, found %d:%d-%d:%d"
              .formatted(line, column, endLine, endColumn));
    }
  }

  /** Returns the span from the start of one to the end of another. */
  public static Span between(Span first, Span last) {
    return new Span(first.line, first.column, last.endLine, last.endColumn);
  }

  /** Returns the empty span just after this one. */
  public Span endPoint() {
    return new Span(endLine, endColumn, endLine, endColumn);
  }

  /** Returns whether this span begins before the other. */
  public boolean startsBefore(Span other) {
    return line < other.line || (line == other.line && column < other.column);
  }

  @Override
  public int compareTo(Span other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return line + ":" + column + "-" + endLine + ":" + endColumn;
  }
}
