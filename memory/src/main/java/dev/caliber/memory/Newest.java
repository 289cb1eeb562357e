package dev.caliber.memory;

import java.util.List;

/**
 * The newest of some records, as many as one list may hold.
 *
 * @param more whether there are older ones
 */
public record Newest<T>(List<T> records, boolean more) {
  public Newest {
    records = List.copyOf(records);
  }
}
