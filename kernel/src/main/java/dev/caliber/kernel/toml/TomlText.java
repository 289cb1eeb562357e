package dev.caliber.kernel.toml;

import java.util.Arrays;

/**
 * The characters of a source of TOML by index, its lines, and where its quoted texts end. In a
 * source with mistakes the answers are some places inside it.
 */
public final class TomlText {
  /** What stands behind the end. */
  public static final int NONE = -1;

  private static final int TRIPLE = 3;
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final String source;
  private final int[] characters;
  private final int[] lineStarts;

  /** Takes a source; a byte order mark before it is no part of it. */
  public TomlText(String source) {
    this.source = source.startsWith(BYTE_ORDER_MARK) ? source.substring(1) : source;
    this.characters = this.source.codePoints().toArray();
    int count = 1;
    for (int character : characters) {
      count += character == '\n' ? 1 : 0;
    }
    this.lineStarts = new int[count];
    for (int i = 0, line = 1; i < characters.length; i++) {
      if (characters[i] == '\n') {
        lineStarts[line++] = i + 1;
      }
    }
  }

  String source() {
    return source;
  }

  public int length() {
    return characters.length;
  }

  /** The character at the index, or {@link #NONE}. */
  public int at(int index) {
    return index < characters.length ? characters[index] : NONE;
  }

  /** How many lines there are. */
  public int lines() {
    return lineStarts.length;
  }

  /** The index at which the line begins; the first line is 1. */
  public int startOf(int line) {
    return lineStarts[line - 1];
  }

  /** The line in which the index lies; the first is 1. */
  public int lineOf(int index) {
    int found = Arrays.binarySearch(lineStarts, index);
    return found >= 0 ? found + 1 : -found - 1;
  }

  public boolean isQuote(int index) {
    return at(index) == '"' || at(index) == '\'';
  }

  public boolean isBlank(int index) {
    return at(index) == ' ' || at(index) == '\t';
  }

  /** Behind what begins there: a quoted text, a comment, or one character. */
  public int next(int index) {
    if (isQuote(index)) {
      return quotedEnd(index);
    }
    return at(index) == '#' ? lineEnd(index) : index + 1;
  }

  /** Behind the text whose first quotation mark stands there. */
  public int quotedEnd(int start) {
    int quote = at(start);
    if (at(start + 1) != quote || at(start + 2) != quote) {
      return closing(start + 1, quote, 1);
    }
    int end = closing(start + TRIPLE, quote, TRIPLE);
    while (at(end) == quote) {
      end++;
    }
    return end;
  }

  private int lineEnd(int start) {
    int i = start;
    while (at(i) != NONE && at(i) != '\n') {
      i++;
    }
    return i;
  }

  /** Behind the closing quotation marks, of which there are one or three. */
  private int closing(int from, int quote, int marks) {
    int i = from;
    while (at(i) != NONE && (marks > 1 || at(i) != '\n')) {
      if (at(i) == '\\' && quote == '"') {
        i += 2;
      } else if (at(i) == quote && (marks == 1 || (at(i + 1) == quote && at(i + 2) == quote))) {
        return i + marks;
      } else {
        i++;
      }
    }
    return Math.min(i, characters.length);
  }
}
