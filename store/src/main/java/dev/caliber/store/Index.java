package dev.caliber.store;

import dev.caliber.kernel.Hashing;
import java.util.List;

/**
 * An ordered way into a table. It holds only the rows in which every one of its columns has a
 * value, so that a column left empty takes a row out of it ("open scopes only").
 */
record Index(String name, List<String> columns, boolean unique) {

  private static final int LONGEST_NAME = 63;
  private static final int KEPT_OF_NAME = 46;

  Index {
    columns = List.copyOf(columns);
  }

  static Index of(String table, List<String> columns, boolean unique) {
    String name = table + (unique ? "_unique_" : "_by_") + String.join("_", columns);
    return new Index(shortened(name), columns, unique);
  }

  /** PostgreSQL would cut a long name off, and then not know it again. */
  private static String shortened(String name) {
    return name.length() <= LONGEST_NAME
        ? name
        : name.substring(0, KEPT_OF_NAME)
            + "_"
            + Hashing.hash("index", name).substring(0, LONGEST_NAME - KEPT_OF_NAME - 1);
  }
}
