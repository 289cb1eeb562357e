package dev.caliber.lang.diagnostic;

import java.util.Comparator;

/**
 * A stretch of source. Lines and columns count from 1, columns in code points; the end is the place
 * just after the last character.
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
          "wanted a span from 1:1 on, found %d:%d-%d:%d"
              .formatted(line, column, endLine, endColumn));
    }
  }

  /** From the start of one to the end of another. */
  public static Span between(Span first, Span last) {
    return new Span(first.line, first.column, last.endLine, last.endColumn);
  }

  /** The place just after this. */
  public Span after() {
    return new Span(endLine, endColumn, endLine, endColumn);
  }

  /** Whether this begins before the other does. */
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
