package dev.caliber.kernel.settings;

import java.util.Comparator;
import org.tomlj.TomlPosition;

/** Position in the file, counted from 1. */
record FilePosition(int line, int column) implements Comparable<FilePosition> {
  static final FilePosition START = new FilePosition(1, 1);

  /** Position of environment variables: errors in them follow those of the file. */
  static final FilePosition AFTER_FILE = new FilePosition(Integer.MAX_VALUE, 1);

  static FilePosition of(TomlPosition position) {
    return new FilePosition(position.line(), position.column());
  }

  @Override
  public int compareTo(FilePosition other) {
    return Comparator.comparingInt(FilePosition::line)
        .thenComparingInt(FilePosition::column)
        .compare(this, other);
  }
}
