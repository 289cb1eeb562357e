package dev.caliber.lang.diagnostic;

import java.util.Arrays;
import java.util.stream.IntStream;

/** The places of a whole file's text. A line ends with LF, CR or both. */
public final class SourcePlaces implements Places {
  private final int length;
  private final int[] lineStarts;
  private final int[] pairs;

  public SourcePlaces(String source) {
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

  /** Whether the character is the second half of one beyond the basic plane. */
  private static boolean endsPair(String source, int index) {
    return Character.isSurrogatePair(source.charAt(index - 1), source.charAt(index));
  }

  @Override
  public Span span(int from, int to) {
    int line = line(from);
    int endLine = line(to);
    return new Span(line + 1, column(line, from), endLine + 1, column(endLine, to));
  }

  /** The line that an offset is in; the first is 0. */
  public int line(int offset) {
    int found = Arrays.binarySearch(lineStarts, offset);
    return found >= 0 ? found : -found - 2;
  }

  /** Where a line begins, the first being 0; past the last line, where the text ends. */
  public int start(int line) {
    return line < lineStarts.length ? lineStarts[line] : length;
  }

  private int column(int line, int offset) {
    return offset - start(line) - pairsBefore(offset) + pairsBefore(start(line)) + 1;
  }

  /**
   * Kept sorted and searched, because a file may be one long line with a reference every few
   * characters.
   */
  private int pairsBefore(int offset) {
    int found = Arrays.binarySearch(pairs, offset);
    return found >= 0 ? found : -found - 1;
  }
}
