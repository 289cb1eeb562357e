package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** One consistent view of one space. Keys are anything whose text is the key, such as an id. */
public interface Snapshot {

  SpaceId space();

  /** The last commit that this view contains; 0 before the first. */
  long sequence();

  /** Counts how often the space's content was replaced (restore, import), as feed cursors do. */
  long epoch();

  <T> Optional<Row<T>> row(Table<T> table, Object key);

  default <T> Optional<T> find(Table<T> table, Object key) {
    return row(table, key).map(Row::record);
  }

  /** Those of these records that are there, by their key and in this order, read in one step. */
  <T> Map<String, T> findAll(Table<T> table, Collection<?> keys);

  /** The record, or {@code NOT_FOUND} that names table and key. */
  default <T> T get(Table<T> table, Object key) {
    return find(table, key)
        .orElseThrow(() -> StoreException.notFound(table.name(), key.toString(), space()));
  }

  /** At most {@code limit} rows in the query's order, and where to go on. */
  <T> Page<T> scan(Query<T> query, int limit);

  /** The first row in the query's order, however many a filter passes over. */
  <T> Optional<T> first(Query<T> query);

  /** How many rows the query has, without loading them. A query with a filter cannot be counted. */
  <T> long count(Query<T> query);
}
