package dev.caliber.lang.pack.manifest;

import dev.caliber.kernel.toml.TomlText;
import dev.caliber.lang.diagnostic.Span;
import org.tomlj.TomlPosition;

/**
 * Finds the ends of keys and values, because the TOML parser only returns where they begin. For
 * sources that it has parsed without errors; in others the result is some position inside the
 * source.
 */
final class TomlSpanFinder {
  private final TomlText text;

  TomlSpanFinder(TomlText text) {
    this.text = text;
  }

  /** Returns the key, or the header of the table, that begins there. */
  Span keySpan(TomlPosition position) {
    int start = index(position);
    return span(start, text.characterAt(start) == '[' ? headerEnd(start) : keyEnd(start));
  }

  /** Returns the value of the key that begins there; of a table with a header, the header. */
  Span valueSpanOfKey(TomlPosition position) {
    int start = index(position);
    if (text.characterAt(start) == '[') {
      return keySpan(position);
    }
    int value = skipBlanks(skipBlanks(keyEnd(start)) + 1);
    return span(value, valueEnd(value));
  }

  /** Returns the value that begins there, or the header of the table. */
  Span valueSpan(TomlPosition position) {
    int start = index(position);
    boolean header =
        text.characterAt(start) == '['
            && text.characterAt(start + 1) == '['
            && isFirstOfLine(start);
    return span(start, header ? headerEnd(start) : valueEnd(start));
  }

  /** Returns a span of which only the beginning is known. */
  Span pointSpan(TomlPosition position) {
    int start = index(position);
    return span(start, start);
  }

  private static int depthChange(int character) {
    return switch (character) {
      case '[', '{' -> 1;
      case ']', '}' -> -1;
      default -> 0;
    };
  }

  private int index(TomlPosition position) {
    int line = Math.clamp(position.line(), 1, text.lineCount());
    return Math.min(text.lineStart(line) + Math.max(0, position.column() - 1), text.length());
  }

  private Span span(int start, int end) {
    int from = Math.min(start, text.length());
    int to = Math.clamp(end, from, text.length());
    int line = text.lineOf(from);
    int endLine = text.lineOf(to);
    return new Span(
        line, from - text.lineStart(line) + 1, endLine, to - text.lineStart(endLine) + 1);
  }

  private boolean isFirstOfLine(int index) {
    int i = index - 1;
    while (i >= 0 && text.isBlank(i)) {
      i--;
    }
    return i < 0 || text.characterAt(i) == '\n';
  }

  private int headerEnd(int start) {
    int i = start;
    while (text.characterAt(i) == '[') {
      i++;
    }
    while (text.characterAt(i) != TomlText.NONE
        && text.characterAt(i) != ']'
        && text.characterAt(i) != '\n') {
      i = text.isQuote(i) ? text.quotedEnd(i) : i + 1;
    }
    while (text.characterAt(i) == ']') {
      i++;
    }
    return i;
  }

  /** Returns the end of a key's last part; the key may have dots. */
  private int keyEnd(int start) {
    int i = start;
    int end = start;
    while (text.characterAt(i) != TomlText.NONE
        && text.characterAt(i) != '='
        && text.characterAt(i) != '\n') {
      i = text.isQuote(i) ? text.quotedEnd(i) : i + 1;
      end = text.isBlank(i - 1) ? end : i;
    }
    return end;
  }

  private int valueEnd(int start) {
    return switch (text.characterAt(start)) {
      case '"', '\'' -> text.quotedEnd(start);
      case '[', '{' -> bracketEnd(start);
      default -> bareEnd(start);
    };
  }

  private int bracketEnd(int start) {
    int depth = 0;
    int i = start;
    do {
      depth += depthChange(text.characterAt(i));
      i = text.nextIndex(i);
    } while (depth > 0 && text.characterAt(i) != TomlText.NONE);
    return i;
  }

  private int bareEnd(int start) {
    int i = start;
    while (text.characterAt(i) != TomlText.NONE && ",]}#\r\n".indexOf(text.characterAt(i)) < 0) {
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
