package dev.caliber.store;

import java.util.List;

/**
 * An ordered way into a table. It holds only the rows in which every one of its columns has a
 * value, so that a column left empty takes a row out of it ("open scopes only").
 */
record Index(String name, List<String> columns, boolean unique) {

  Index {
    columns = List.copyOf(columns);
  }

  static Index of(String table, List<String> columns, boolean unique) {
    return new Index(
        table + (unique ? "_unique_" : "_by_") + String.join("_", columns), columns, unique);
  }
}
