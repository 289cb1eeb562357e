package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ForwardingStore;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Row;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Store that counts the pages that commits read. */
public final class CountingStore extends ForwardingStore {
  private final AtomicInteger pages;

  public CountingStore(RecordStore store, AtomicInteger pages) {
    super(store);
    this.pages = pages;
  }

  @Override
  public <T> T write(SpaceId space, Function<Transaction, T> work) {
    return delegate().write(space, transaction -> work.apply(new Counting(transaction, pages)));
  }

  private record Counting(Transaction transaction, AtomicInteger pages) implements Transaction {
    @Override
    public SpaceId space() {
      return transaction.space();
    }

    @Override
    public long sequence() {
      return transaction.sequence();
    }

    @Override
    public long epoch() {
      return transaction.epoch();
    }

    @Override
    public <T> Optional<Row<T>> row(Table<T> table, Object key) {
      return transaction.row(table, key);
    }

    @Override
    public <T> Map<String, T> findAll(Table<T> table, Collection<?> keys) {
      return transaction.findAll(table, keys);
    }

    @Override
    public <T> Page<T> scan(Query<T> query, int limit) {
      pages.incrementAndGet();
      return transaction.scan(query, limit);
    }

    @Override
    public int pageLimit() {
      return transaction.pageLimit();
    }

    @Override
    public <T> Optional<T> first(Query<T> query) {
      pages.incrementAndGet();
      return transaction.first(query);
    }

    @Override
    public <T> long count(Query<T> query) {
      return transaction.count(query);
    }

    @Override
    public Instant now() {
      return transaction.now();
    }

    @Override
    public Id newId() {
      return transaction.newId();
    }

    @Override
    public long revision() {
      return transaction.revision();
    }

    @Override
    public <T> void append(Table<T> table, T record) {
      transaction.append(table, record);
    }

    @Override
    public <T> void insert(Table<T> table, T record) {
      transaction.insert(table, record);
    }

    @Override
    public <T> void put(Table<T> table, T record) {
      transaction.put(table, record);
    }

    @Override
    public <T> void putAll(Table<T> table, Collection<T> records) {
      transaction.putAll(table, records);
    }

    @Override
    public <T> void put(Table<T> table, T record, long expectedRevision) {
      transaction.put(table, record, expectedRevision);
    }

    @Override
    public <T> T update(Table<T> table, Object key, UnaryOperator<T> change) {
      return transaction.update(table, key, change);
    }

    @Override
    public <T> boolean delete(Table<T> table, Object key) {
      return transaction.delete(table, key);
    }

    @Override
    public void cacheFact(String about, Record fact) {
      transaction.cacheFact(about, fact);
    }

    @Override
    public <F extends Record> Optional<F> cachedFact(String about, Class<F> type) {
      return transaction.cachedFact(about, type);
    }
  }
}
