package dev.caliber.app;

import dev.caliber.lang.diagnostic.Span;
import java.util.List;

/**
 * The line that a diagnostic is about, and what marks the place under it. Tabs are shown as blanks
 * and control characters as a replacement, so that columns stay true; of a long line only the part
 * around the place is shown.
 *
 * @param line the text as it is printed
 * @param before the width of what stands before the place
 * @param width of the place, at least 1
 */
record SourceExcerpt(String line, int before, int width) {
  private static final int TAB = 4;
  private static final int LINE_WIDTH = 120;
  private static final int CONTEXT = 40;
  private static final String CUT = "…";
  private static final int REPLACEMENT = 0xFFFD;

  /** Columns of the span count code points. */
  static SourceExcerpt of(List<String> lines, Span span) {
    String text = span.line() <= lines.size() ? lines.get(span.line() - 1) : "";
    int[] points = text.codePoints().toArray();
    int start = Math.min(span.column() - 1, points.length);
    int end = span.endLine() > span.line() ? points.length : span.endColumn() - 1;
    return cut(points, start, Math.clamp(end, start, Math.max(start, points.length)));
  }

  private static SourceExcerpt cut(int[] points, int start, int end) {
    boolean isLong = points.length > LINE_WIDTH;
    int from = isLong ? Math.max(0, start - CONTEXT) : 0;
    int to = isLong ? Math.min(points.length, from + LINE_WIDTH) : points.length;
    String head = shown(points, from, start, from > 0 ? CUT : "");
    String place = shown(points, start, Math.min(end, to), head);
    String all = shown(points, Math.min(end, to), to, place);
    int before = DisplayWidth.of(head);
    int width = Math.max(1, DisplayWidth.of(place) - before);
    return new SourceExcerpt(all + (to < points.length ? CUT : ""), before, width);
  }

  /** What was shown so far, and these characters behind it. */
  private static String shown(int[] points, int from, int to, String soFar) {
    var text = new StringBuilder(soFar);
    for (int i = from; i < to; i++) {
      if (points[i] == '\t') {
        text.append(" ".repeat(TAB - DisplayWidth.of(text.toString()) % TAB));
      } else {
        text.appendCodePoint(printable(points[i]));
      }
    }
    return text.toString();
  }

  private static int printable(int codePoint) {
    boolean odd =
        Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
    return odd ? REPLACEMENT : codePoint;
  }
}
