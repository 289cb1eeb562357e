package dev.caliber.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The rows that a write has read last and not written since. What it has written is read again,
 * since a record may come back from the store otherwise than it went.
 */
final class KnownRows {

  /** A decision looks at a few records; what reads many is no decision. */
  private static final int ROWS_BOUND = 16;

  private final Map<Place, Known<?>> rows =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, Known<?>> eldest) {
          return size() > ROWS_BOUND;
        }
      };

  /** A row as it was read. */
  record Known<T>(StoredBody body, Codec.Decoded<T> decoded) {}

  private record Place(String table, String key) {}

  @SuppressWarnings("unchecked") // a place is filled by its own table alone
  <T> Optional<Known<T>> find(Table<T> table, String key) {
    return Optional.ofNullable((Known<T>) rows.get(new Place(table.name(), key)));
  }

  <T> void keep(Table<T> table, String key, Known<T> row) {
    rows.put(new Place(table.name(), key), row);
  }

  void drop(Table<?> table, String key) {
    rows.remove(new Place(table.name(), key));
  }
}
