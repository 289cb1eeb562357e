package dev.caliber.memory.view;

import java.util.List;

/**
 * List of the newest records, cut at the limit of a list.
 *
 * @param more whether older records were left out
 */
public record TruncatedList<T>(List<T> records, boolean more) {
  public TruncatedList {
    records = List.copyOf(records);
  }
}
