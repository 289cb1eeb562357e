package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.Span;
import org.jspecify.annotations.Nullable;

/** Walks over a source by code points and knows its place. A line ends with LF, CR or both. */
final class SourceReader {
  static final int END = -1;

  private final String source;
  private int index;
  private int line;
  private int column;
  private @Nullable Span whole;

  SourceReader(String source) {
    this(source, 1, 1);
  }

  private SourceReader(String source, int line, int column) {
    this.source = source;
    this.line = line;
    this.column = column;
  }

  /** For a source that begins at a place of another one. */
  static SourceReader at(String source, Span start) {
    return new SourceReader(source, start.line(), start.column());
  }

  /** For a source that another one holds in some other spelling: all of it is at one place. */
  static SourceReader within(String source, Span whole) {
    var reader = new SourceReader(source, whole.line(), whole.column());
    reader.whole = whole;
    return reader;
  }

  int peek() {
    return index < source.length() ? source.codePointAt(index) : END;
  }

  /** What follows the next character, if that is not beyond the basic plane. */
  int peekSecond() {
    return index + 1 < source.length() ? source.codePointAt(index + 1) : END;
  }

  boolean at(char first, char second) {
    return peek() == first && peekSecond() == second;
  }

  boolean atLineEnd() {
    return peek() == END || peek() == '\n' || peek() == '\r';
  }

  int next() {
    int character = peek();
    index += Character.charCount(character);
    if (character == '\n' || (character == '\r' && peek() != '\n')) {
      line++;
      column = 1;
    } else if (character != '\r') {
      column++;
    }
    return character;
  }

  int index() {
    return index;
  }

  String from(int start) {
    return source.substring(start, index);
  }

  /** Where the text goes on next, or -1. */
  int find(String text) {
    return source.indexOf(text, index);
  }

  Span here() {
    return whole != null ? whole : new Span(line, column, line, column);
  }

  Span since(Span start) {
    return Span.between(start, here());
  }
}
