package dev.caliber.kernel.toml;

import java.util.Arrays;

/**
 * Characters of a TOML source by index, its lines, and the ends of its quoted texts. In a source
 * with mistakes the results are some positions inside it.
 */
public final class TomlText {
  /** Value after the end. */
  public static final int NONE = -1;

  private static final int TRIPLE = 3;
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final String source;
  private final int[] characters;
  private final int[] lineStarts;

  /** Takes a source; a byte order mark before it is dropped. */
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

  /** Returns the character at the index, or {@link #NONE}. */
  public int characterAt(int index) {
    return index < characters.length ? characters[index] : NONE;
  }

  /** Returns the number of lines. */
  public int lineCount() {
    return lineStarts.length;
  }

  /** Returns the index at which the line begins; the first line is 1. */
  public int lineStart(int line) {
    return lineStarts[line - 1];
  }

  /** Returns the line that contains the index; the first is 1. */
  public int lineOf(int index) {
    int found = Arrays.binarySearch(lineStarts, index);
    return found >= 0 ? found + 1 : -found - 1;
  }

  public boolean isQuote(int index) {
    return characterAt(index) == '"' || characterAt(index) == '\'';
  }

  public boolean isBlank(int index) {
    return characterAt(index) == ' ' || characterAt(index) == '\t';
  }

  /**
   * Returns the index after the token at this index: a quoted text, a comment, or one character.
   */
  public int nextIndex(int index) {
    if (isQuote(index)) {
      return quotedEnd(index);
    }
    return characterAt(index) == '#' ? lineEnd(index) : index + 1;
  }

  /** Returns the index after the text whose first quotation mark is at this index. */
  public int quotedEnd(int start) {
    int quote = characterAt(start);
    if (characterAt(start + 1) != quote || characterAt(start + 2) != quote) {
      return closingQuoteEnd(start + 1, quote, 1);
    }
    int end = closingQuoteEnd(start + TRIPLE, quote, TRIPLE);
    while (characterAt(end) == quote) {
      end++;
    }
    return end;
  }

  private int lineEnd(int start) {
    int i = start;
    while (characterAt(i) != NONE && characterAt(i) != '\n') {
      i++;
    }
    return i;
  }

  /** Returns the index after the closing quotation marks, of which there are one or three. */
  private int closingQuoteEnd(int from, int quote, int marks) {
    int i = from;
    while (characterAt(i) != NONE && (marks > 1 || characterAt(i) != '\n')) {
      if (characterAt(i) == '\\' && quote == '"') {
        i += 2;
      } else if (characterAt(i) == quote
          && (marks == 1 || (characterAt(i + 1) == quote && characterAt(i + 2) == quote))) {
        return i + marks;
      } else {
        i++;
      }
    }
    return Math.min(i, characters.length);
  }
}
