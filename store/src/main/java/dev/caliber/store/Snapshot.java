package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** One consistent view of one space. A key is any object whose text is the key, such as an id. */
public interface Snapshot {

  SpaceId space();

  /** Returns the sequence of the last commit that this view contains; 0 before the first. */
  long sequence();

  /** Returns how often the space's content was replaced (restore, import), as in feed cursors. */
  long epoch();

  <T> Optional<Row<T>> row(Table<T> table, Object key);

  default <T> Optional<T> find(Table<T> table, Object key) {
    return row(table, key).map(Row::record);
  }

  /** Returns the existing records among these keys, by key and in this order, read in one step. */
  <T> Map<String, T> findAll(Table<T> table, Collection<?> keys);

  /** Returns the record, or throws {@code NOT_FOUND} with table and key. */
  default <T> T get(Table<T> table, Object key) {
    return find(table, key)
        .orElseThrow(() -> StoreException.notFound(table.name(), key.toString(), space()));
  }

  /** Returns at most {@code limit} rows in the query's order, and a cursor to continue. */
  <T> Page<T> scan(Query<T> query, int limit);

  /** Returns the most rows of one page: {@code store.reads.page-limit}. */
  int pageLimit();

  /** Returns at most {@code limit} records in the query's order, read in pages. */
  default <T> List<T> list(Query<T> query, int limit) {
    List<T> found = new ArrayList<>();
    Optional<Query<T>> rest = Optional.of(query);
    while (rest.isPresent() && found.size() < limit) {
      Page<T> page = scan(rest.get(), Math.min(limit - found.size(), pageLimit()));
      found.addAll(page.records());
      rest = page.next().map(query::resume);
    }
    return List.copyOf(found);
  }

  /** Returns all records of a query, whose number must be bounded elsewhere. */
  default <T> List<T> list(Query<T> query) {
    return list(query, Integer.MAX_VALUE);
  }

  /** Passes each record of a query to {@code work}, with one page in memory at a time. */
  default <T> void forEach(Query<T> query, Consumer<? super T> work) {
    Optional<Query<T>> rest = Optional.of(query);
    while (rest.isPresent()) {
      Page<T> page = scan(rest.get(), pageLimit());
      page.records().forEach(work);
      rest = page.next().map(query::resume);
    }
  }

  /** Returns the first row in the query's order that its filter passes, without a scan limit. */
  <T> Optional<T> first(Query<T> query);

  /**
   * Returns the number of the query's rows without loading them. A query with a filter cannot be
   * counted.
   */
  <T> long count(Query<T> query);
}
