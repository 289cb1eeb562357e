package dev.caliber.memory.event;

import dev.caliber.store.Table;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** State that events change: a transaction, or a model of one in tests. */
public interface MemoryState {
  <T> Optional<T> find(Table<T> table, Object key);

  <T> void put(Table<T> table, T record);

  /** Puts a record whose id is new. */
  default <T> void add(Table<T> table, T record) {
    put(table, record);
  }

  <T> void remove(Table<T> table, Object key);

  /** Changes a record if it exists. */
  default <T> void updateIfPresent(Table<T> table, Object key, UnaryOperator<T> how) {
    find(table, key).ifPresent(record -> put(table, how.apply(record)));
  }
}
