package dev.caliber.lang.syntax;

import dev.caliber.lang.diagnostic.Span;
import org.jspecify.annotations.Nullable;

/** Reads a source by code points and tracks its position. A line ends with LF, CR or both. */
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

  /** Creates a reader for a source that begins at a position of another one. */
  static SourceReader startingAt(String source, Span start) {
    return new SourceReader(source, start.line(), start.column());
  }

  /** Creates a reader for a source inside another one with escapes: it has one position. */
  static SourceReader atOneSpan(String source, Span whole) {
    var reader = new SourceReader(source, whole.line(), whole.column());
    reader.whole = whole;
    return reader;
  }

  int peek() {
    return index < source.length() ? source.codePointAt(index) : END;
  }

  /** Returns the character after the next one, if that is in the basic plane. */
  int peekSecond() {
    return index + 1 < source.length() ? source.codePointAt(index + 1) : END;
  }

  boolean isAt(char first, char second) {
    return peek() == first && peekSecond() == second;
  }

  boolean isAtLineEnd() {
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

  String textFrom(int start) {
    return source.substring(start, index);
  }

  /** Returns the next offset of the text, or -1. */
  int find(String text) {
    return source.indexOf(text, index);
  }

  Span currentSpan() {
    return whole != null ? whole : new Span(line, column, line, column);
  }

  Span spanSince(Span start) {
    return Span.between(start, currentSpan());
  }
}
