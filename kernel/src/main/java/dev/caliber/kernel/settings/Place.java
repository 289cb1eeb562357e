package dev.caliber.kernel.settings;

import java.util.Comparator;
import org.tomlj.TomlPosition;

/** Where something stands in the file, counted from 1. */
record Place(int line, int column) implements Comparable<Place> {
  static final Place START = new Place(1, 1);

  static Place of(TomlPosition position) {
    return new Place(position.line(), position.column());
  }

  @Override
  public int compareTo(Place other) {
    return Comparator.comparingInt(Place::line)
        .thenComparingInt(Place::column)
        .compare(this, other);
  }
}
