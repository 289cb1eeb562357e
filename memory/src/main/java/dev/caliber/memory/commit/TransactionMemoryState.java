package dev.caliber.memory.commit;

import dev.caliber.memory.event.MemoryState;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.Optional;

/** Memory state inside a transaction. */
record TransactionMemoryState(Transaction transaction) implements MemoryState {
  @Override
  public <T> Optional<T> find(Table<T> table, Object key) {
    return transaction.find(table, key);
  }

  @Override
  public <T> void put(Table<T> table, T record) {
    transaction.put(table, record);
  }

  @Override
  public <T> void add(Table<T> table, T record) {
    transaction.append(table, record);
  }

  @Override
  public <T> void remove(Table<T> table, Object key) {
    transaction.delete(table, key);
  }
}
