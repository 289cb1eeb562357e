package dev.caliber.store.maintenance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reader of lines of bounded length as bytes, without their line feeds. */
final class LineReader implements AutoCloseable {

  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final long bound;
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int filled;
  private long number;
  private long read;

  LineReader(InputStream in, long bound) {
    this.in = in;
    this.bound = bound;
  }

  /** Thrown for a line that is longer than the bound. */
  static final class LineTooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    LineTooLongException(long bound) {
      super("the line is longer than %d bytes".formatted(bound));
    }
  }

  /** Returns the next line, or null at the end. */
  byte @Nullable [] nextLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean any = false;
    while (fill()) {
      if (!any) {
        number++;
        any = true;
      }
      int end = position;
      while (end < filled && buffer[end] != '\n') {
        end++;
      }
      line.write(buffer, position, end - position);
      if (line.size() > bound) {
        throw new LineTooLongException(bound);
      }
      boolean ended = end < filled;
      read += end - position + (ended ? 1 : 0);
      position = ended ? end + 1 : end;
      if (ended) {
        break;
      }
    }
    return any ? line.toByteArray() : null;
  }

  private boolean fill() throws IOException {
    if (position < filled) {
      return true;
    }
    filled = in.read(buffer);
    position = 0;
    return filled > 0;
  }

  /** Returns the number of the line that was read last; the first is 1. */
  long lineNumber() {
    return number;
  }

  /** Returns the number of bytes read. */
  long bytesRead() {
    return read;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
