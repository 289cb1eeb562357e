package dev.caliber.lang.diagnostic;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Positions in a whole file's text. A line ends with LF, CR or both. */
public final class SourceSpanLocator implements SpanLocator {
  private final int length;
  private final int[] lineStarts;
  private final int[] pairs;

  public SourceSpanLocator(String source) {
    this.length = source.length();
    this.lineStarts = IntStream.rangeClosed(0, length).filter(i -> startsLine(source, i)).toArray();
    this.pairs = IntStream.range(1, length).filter(i -> endsPair(source, i)).toArray();
  }

  private static boolean startsLine(String source, int index) {
    if (index == 0) {
      return true;
    }
    char before = source.charAt(index - 1);
    boolean between = index < source.length() && source.charAt(index) == '\n';
    return before == '\n' || (before == '\r' && !between);
  }

  /** Returns whether the character is the second half of a surrogate pair. */
  private static boolean endsPair(String source, int index) {
    return Character.isSurrogatePair(source.charAt(index - 1), source.charAt(index));
  }

  @Override
  public Span span(int from, int to) {
    int line = line(from);
    int endLine = line(to);
    return new Span(line + 1, column(line, from), endLine + 1, column(endLine, to));
  }

  /** Returns the line of an offset; the first is 0. */
  public int line(int offset) {
    int found = Arrays.binarySearch(lineStarts, offset);
    return found >= 0 ? found : -found - 2;
  }

  /** Returns the start offset of a line, the first being 0; the text's end beyond the last. */
  public int lineStart(int line) {
    return line < lineStarts.length ? lineStarts[line] : length;
  }

  private int column(int line, int offset) {
    return offset - lineStart(line) - pairsBefore(offset) + pairsBefore(lineStart(line)) + 1;
  }

  /**
   * Counts surrogate pairs before an offset; sorted and searched, because a file may be one long
   * line with a reference every few characters.
   */
  private int pairsBefore(int offset) {
    int found = Arrays.binarySearch(pairs, offset);
    return found >= 0 ? found : -found - 1;
  }
}
