package dev.caliber.store;

import dev.caliber.kernel.FieldHash;
import java.util.List;

/**
 * Ordered access path to a table. It contains only the rows in which every one of its columns has a
 * value, so that an empty column takes a row out of it ("open scopes only").
 */
public record TableIndex(String name, List<String> columns, boolean unique) {

  private static final int LONGEST_NAME = 63;
  private static final int KEPT_OF_NAME = 46;

  public TableIndex {
    columns = List.copyOf(columns);
  }

  static TableIndex of(String table, List<String> columns, boolean unique) {
    String name = table + (unique ? "_unique_" : "_by_") + String.join("_", columns);
    return new TableIndex(shortened(name), columns, unique);
  }

  /**
   * Shortens a long name with a hash. PostgreSQL would truncate it, and the store would not find
   * the index again.
   */
  private static String shortened(String name) {
    return name.length() <= LONGEST_NAME
        ? name
        : name.substring(0, KEPT_OF_NAME)
            + "_"
            + FieldHash.hash("index", name).substring(0, LONGEST_NAME - KEPT_OF_NAME - 1);
  }
}
