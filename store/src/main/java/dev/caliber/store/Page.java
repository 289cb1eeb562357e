package dev.caliber.store;

import java.util.List;
import java.util.Optional;

/**
 * Part of a scan. {@code next} is present whenever rows may follow. A page of a filtered query can
 * be short or empty and still have a next one, because every page reads a bounded number of rows.
 */
public record Page<T>(List<Row<T>> rows, Optional<PageCursor> next) {

  public Page {
    rows = List.copyOf(rows);
  }

  public List<T> records() {
    return rows.stream().map(Row::record).toList();
  }
}
