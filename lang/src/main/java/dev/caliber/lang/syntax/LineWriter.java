package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.Span;

/**
 * Writes lines with their indentation, and between them the comments of the source: one on a line
 * of its own remains on one, a trailing one trails the line before. No comment is lost, and a
 * second pass leaves each where it is. Several blank lines become one.
 */
final class LineWriter {
  private static final String INDENT = "  ";

  private final StringBuilder out = new StringBuilder();
  private final Trivia trivia;
  private int depth;
  private int sourceLine;
  private boolean commented = true;
  private boolean opened = true;

  LineWriter(Trivia trivia) {
    this.trivia = trivia;
  }

  /** Writes a line for a node that begins at the position. */
  void line(Span place, String text) {
    boolean separated = comments(place, false);
    write(place, text, false, separated);
  }

  /** Writes a line that opens a block. */
  void open(Span place, String text) {
    line(place, text);
    depth++;
    opened = true;
  }

  /** Writes a line that opens a block, with a blank line before it and its comments. */
  void openAfterBlankLine(Span place, String text) {
    boolean separated = comments(place, true);
    write(place, text, !separated, separated);
    depth++;
    opened = true;
  }

  /** Writes the line that closes the block of a node that ends there. */
  void close(Span whole, String text) {
    int column = Math.max(1, whole.endColumn() - 1);
    var place = new Span(whole.endLine(), column, whole.endLine(), column);
    comments(place, false);
    depth--;
    opened = true;
    write(place, text, false, false);
  }

  String finish() {
    while (trivia.hasComment()) {
      comment(trivia.takeComment(), false);
    }
    return out.toString();
  }

  /** Writes the comments before the position; returns whether one of them got a line of its own. */
  private boolean comments(Span place, boolean apart) {
    boolean separated = false;
    while (trivia.hasCommentBefore(place)) {
      separated |= comment(trivia.takeComment(), apart && !separated);
    }
    return separated;
  }

  private boolean comment(Comment comment, boolean apart) {
    if (comment.trailing() && !commented) {
      out.insert(out.length() - 1, " " + comment.text());
      commented = true;
      return false;
    }
    write(comment.span(), comment.text(), apart, false);
    commented = true;
    return true;
  }

  private void write(Span place, String text, boolean apart, boolean afterComment) {
    boolean blank = trivia.hasBlankLineBefore(place) && place.line() > sourceLine;
    if ((apart || blank) && (!opened || afterComment)) {
      out.append('\n');
    }
    out.append(INDENT.repeat(depth)).append(text).append('\n');
    sourceLine = place.line();
    commented = false;
    opened = false;
  }
}
