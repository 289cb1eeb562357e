package dev.caliber.app.pack;

import dev.caliber.app.shell.DisplayWidth;
import dev.caliber.lang.diagnostic.Span;
import java.util.List;

/**
 * The line of a diagnostic, and the marker under its position. Tabs are shown as blanks and control
 * characters as a replacement, so that columns stay true; of a long line only the part around the
 * position is shown.
 *
 * @param line the text as it is printed
 * @param markerOffset the width of the text before the position
 * @param markerWidth the width of the position, at least 1
 */
record SourceExcerpt(String line, int markerOffset, int markerWidth) {
  private static final int TAB = 4;
  private static final int LINE_WIDTH = 120;
  private static final int CONTEXT = 40;
  private static final String CUT = "…";
  private static final int REPLACEMENT = 0xFFFD;

  /** Creates the excerpt; columns of the span count code points. */
  static SourceExcerpt of(List<String> lines, Span span) {
    String text = span.line() <= lines.size() ? lines.get(span.line() - 1) : "";
    int[] points = text.codePoints().toArray();
    int start = Math.min(span.column() - 1, points.length);
    int end = span.endLine() > span.line() ? points.length : span.endColumn() - 1;
    return excerptAround(points, start, Math.clamp(end, start, Math.max(start, points.length)));
  }

  private static SourceExcerpt excerptAround(int[] points, int start, int end) {
    boolean isLong = points.length > LINE_WIDTH;
    int from = isLong ? Math.max(0, start - CONTEXT) : 0;
    int to = isLong ? Math.min(points.length, from + LINE_WIDTH) : points.length;
    String head = appendPrintable(points, from, start, from > 0 ? CUT : "");
    String place = appendPrintable(points, start, Math.min(end, to), head);
    String all = appendPrintable(points, Math.min(end, to), to, place);
    int before = DisplayWidth.columns(head);
    int width = Math.max(1, DisplayWidth.columns(place) - before);
    return new SourceExcerpt(all + (to < points.length ? CUT : ""), before, width);
  }

  /** Appends these characters, in printable form, to the text so far. */
  private static String appendPrintable(int[] points, int from, int to, String soFar) {
    var text = new StringBuilder(soFar);
    for (int i = from; i < to; i++) {
      if (points[i] == '\t') {
        text.append(" ".repeat(TAB - DisplayWidth.columns(text.toString()) % TAB));
      } else {
        text.appendCodePoint(replaceControl(points[i]));
      }
    }
    return text.toString();
  }

  private static int replaceControl(int codePoint) {
    boolean odd =
        Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
    return odd ? REPLACEMENT : codePoint;
  }
}
