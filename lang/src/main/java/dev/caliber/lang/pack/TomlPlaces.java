package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.Span;
import java.util.Arrays;
import java.util.BitSet;
import org.tomlj.TomlPosition;

/**
 * Finds where keys and values end, since the parser of TOML only says where they begin. For sources
 * that it has parsed without errors; in others the answer is some place inside the source.
 */
final class TomlPlaces {
  private static final int NONE = -1;
  private static final int TRIPLE = 3;

  private final int[] source;
  private final int[] lines;
  private final BitSet insideTexts;

  TomlPlaces(String text) {
    this.source = text.codePoints().toArray();
    int count = 1;
    for (int character : source) {
      count += character == '\n' ? 1 : 0;
    }
    this.lines = new int[count];
    for (int i = 0, line = 1; i < source.length; i++) {
      if (source[i] == '\n') {
        lines[line++] = i + 1;
      }
    }
    this.insideTexts = insideTexts();
  }

  /** The key, or the header of the table, that begins there. */
  Span key(TomlPosition position) {
    int start = index(position);
    return span(start, at(start) == '[' ? headerEnd(start) : keyEnd(start));
  }

  /** The value of the key that begins there; of a table with a header, the header. */
  Span valueOfKey(TomlPosition position) {
    int start = index(position);
    if (at(start) == '[') {
      return key(position);
    }
    int value = skipBlanks(skipBlanks(keyEnd(start)) + 1);
    return span(value, valueEnd(value));
  }

  /** The value that begins there, or the header of the table. */
  Span value(TomlPosition position) {
    int start = index(position);
    boolean header = at(start) == '[' && at(start + 1) == '[' && isFirstOfLine(start);
    return span(start, header ? headerEnd(start) : valueEnd(start));
  }

  /** A place of which only the beginning is known. */
  Span point(TomlPosition position) {
    int start = index(position);
    return span(start, start);
  }

  /** Whether a line, the first being 0, begins inside a text. */
  boolean isInsideText(int line) {
    return insideTexts.get(line);
  }

  /** The lines that begin inside a text. */
  private BitSet insideTexts() {
    var inside = new BitSet();
    for (int i = 0; at(i) != NONE; i = next(i, at(i))) {
      if (isQuote(at(i))) {
        inside.set(lineOf(i), lineOf(quotedEnd(i)));
      }
    }
    return inside;
  }

  private static int step(int character) {
    return switch (character) {
      case '[', '{' -> 1;
      case ']', '}' -> -1;
      default -> 0;
    };
  }

  private int index(TomlPosition position) {
    int line = Math.clamp(position.line(), 1, lines.length);
    return Math.min(lines[line - 1] + Math.max(0, position.column() - 1), source.length);
  }

  private Span span(int start, int end) {
    int from = Math.min(start, source.length);
    int to = Math.clamp(end, from, source.length);
    int line = lineOf(from);
    int endLine = lineOf(to);
    return new Span(line, from - lines[line - 1] + 1, endLine, to - lines[endLine - 1] + 1);
  }

  private int lineOf(int index) {
    int found = Arrays.binarySearch(lines, index);
    return found >= 0 ? found + 1 : -found - 1;
  }

  private int at(int index) {
    return index < source.length ? source[index] : NONE;
  }

  private boolean isFirstOfLine(int index) {
    int i = index - 1;
    while (i >= 0 && isBlank(source[i])) {
      i--;
    }
    return i < 0 || source[i] == '\n';
  }

  private int headerEnd(int start) {
    int i = start;
    while (at(i) == '[') {
      i++;
    }
    while (at(i) != NONE && at(i) != ']' && at(i) != '\n') {
      i = isQuote(at(i)) ? quotedEnd(i) : i + 1;
    }
    while (at(i) == ']') {
      i++;
    }
    return i;
  }

  /** Behind the last part of a key that may have dots. */
  private int keyEnd(int start) {
    int i = start;
    int end = start;
    while (at(i) != NONE && at(i) != '=' && at(i) != '\n') {
      i = isQuote(at(i)) ? quotedEnd(i) : i + 1;
      end = isBlank(source[i - 1]) ? end : i;
    }
    return end;
  }

  private int valueEnd(int start) {
    return switch (at(start)) {
      case '"', '\'' -> quotedEnd(start);
      case '[', '{' -> bracketEnd(start);
      default -> bareEnd(start);
    };
  }

  private int bracketEnd(int start) {
    int depth = 0;
    int i = start;
    do {
      int character = at(i);
      depth += step(character);
      i = next(i, character);
    } while (depth > 0 && at(i) != NONE);
    return i;
  }

  private int next(int i, int character) {
    if (isQuote(character)) {
      return quotedEnd(i);
    }
    return character == '#' ? lineEnd(i) : i + 1;
  }

  private int bareEnd(int start) {
    int i = start;
    while (at(i) != NONE && ",]}#\r\n".indexOf(at(i)) < 0) {
      i++;
    }
    while (i > start && isBlank(source[i - 1])) {
      i--;
    }
    return i;
  }

  private int lineEnd(int start) {
    int i = start;
    while (at(i) != NONE && at(i) != '\n') {
      i++;
    }
    return i;
  }

  private int quotedEnd(int start) {
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
    return Math.min(i, source.length);
  }

  private int skipBlanks(int start) {
    int i = start;
    while (isBlank(at(i))) {
      i++;
    }
    return i;
  }

  private static boolean isQuote(int character) {
    return character == '"' || character == '\'';
  }

  private static boolean isBlank(int character) {
    return character == ' ' || character == '\t';
  }
}
