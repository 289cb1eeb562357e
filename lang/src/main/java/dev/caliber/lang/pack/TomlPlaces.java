package dev.caliber.lang.pack;

import dev.caliber.kernel.toml.TomlText;
import dev.caliber.lang.diagnostic.Span;
import org.tomlj.TomlPosition;

/**
 * Finds where keys and values end, since the parser of TOML only says where they begin. For sources
 * that it has parsed without errors; in others the answer is some place inside the source.
 */
final class TomlPlaces {
  private final TomlText text;

  TomlPlaces(TomlText text) {
    this.text = text;
  }

  /** The key, or the header of the table, that begins there. */
  Span key(TomlPosition position) {
    int start = index(position);
    return span(start, text.at(start) == '[' ? headerEnd(start) : keyEnd(start));
  }

  /** The value of the key that begins there; of a table with a header, the header. */
  Span valueOfKey(TomlPosition position) {
    int start = index(position);
    if (text.at(start) == '[') {
      return key(position);
    }
    int value = skipBlanks(skipBlanks(keyEnd(start)) + 1);
    return span(value, valueEnd(value));
  }

  /** The value that begins there, or the header of the table. */
  Span value(TomlPosition position) {
    int start = index(position);
    boolean header = text.at(start) == '[' && text.at(start + 1) == '[' && isFirstOfLine(start);
    return span(start, header ? headerEnd(start) : valueEnd(start));
  }

  /** A place of which only the beginning is known. */
  Span point(TomlPosition position) {
    int start = index(position);
    return span(start, start);
  }

  private static int step(int character) {
    return switch (character) {
      case '[', '{' -> 1;
      case ']', '}' -> -1;
      default -> 0;
    };
  }

  private int index(TomlPosition position) {
    int line = Math.clamp(position.line(), 1, text.lines());
    return Math.min(text.startOf(line) + Math.max(0, position.column() - 1), text.length());
  }

  private Span span(int start, int end) {
    int from = Math.min(start, text.length());
    int to = Math.clamp(end, from, text.length());
    int line = text.lineOf(from);
    int endLine = text.lineOf(to);
    return new Span(line, from - text.startOf(line) + 1, endLine, to - text.startOf(endLine) + 1);
  }

  private boolean isFirstOfLine(int index) {
    int i = index - 1;
    while (i >= 0 && text.isBlank(i)) {
      i--;
    }
    return i < 0 || text.at(i) == '\n';
  }

  private int headerEnd(int start) {
    int i = start;
    while (text.at(i) == '[') {
      i++;
    }
    while (text.at(i) != TomlText.NONE && text.at(i) != ']' && text.at(i) != '\n') {
      i = text.isQuote(i) ? text.quotedEnd(i) : i + 1;
    }
    while (text.at(i) == ']') {
      i++;
    }
    return i;
  }

  /** Behind the last part of a key that may have dots. */
  private int keyEnd(int start) {
    int i = start;
    int end = start;
    while (text.at(i) != TomlText.NONE && text.at(i) != '=' && text.at(i) != '\n') {
      i = text.isQuote(i) ? text.quotedEnd(i) : i + 1;
      end = text.isBlank(i - 1) ? end : i;
    }
    return end;
  }

  private int valueEnd(int start) {
    return switch (text.at(start)) {
      case '"', '\'' -> text.quotedEnd(start);
      case '[', '{' -> bracketEnd(start);
      default -> bareEnd(start);
    };
  }

  private int bracketEnd(int start) {
    int depth = 0;
    int i = start;
    do {
      depth += step(text.at(i));
      i = text.next(i);
    } while (depth > 0 && text.at(i) != TomlText.NONE);
    return i;
  }

  private int bareEnd(int start) {
    int i = start;
    while (text.at(i) != TomlText.NONE && ",]}#\r\n".indexOf(text.at(i)) < 0) {
      i++;
    }
    while (i > start && text.isBlank(i - 1)) {
      i--;
    }
    return i;
  }

  private int skipBlanks(int start) {
    int i = start;
    while (text.isBlank(i)) {
      i++;
    }
    return i;
  }
}
