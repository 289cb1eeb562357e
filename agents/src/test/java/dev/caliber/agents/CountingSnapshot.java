package dev.caliber.agents;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Row;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Snapshot that counts scans and the rows they return. */
public record CountingSnapshot(Snapshot snapshot, AtomicInteger scans, AtomicInteger rows)
    implements Snapshot {

  public CountingSnapshot(Snapshot snapshot, AtomicInteger scans) {
    this(snapshot, scans, new AtomicInteger());
  }

  @Override
  public SpaceId space() {
    return snapshot.space();
  }

  @Override
  public long sequence() {
    return snapshot.sequence();
  }

  @Override
  public long epoch() {
    return snapshot.epoch();
  }

  @Override
  public <T> Optional<Row<T>> row(Table<T> table, Object key) {
    return snapshot.row(table, key);
  }

  @Override
  public <T> Map<String, T> findAll(Table<T> table, Collection<?> keys) {
    return snapshot.findAll(table, keys);
  }

  @Override
  public <T> Page<T> scan(Query<T> query, int limit) {
    scans.incrementAndGet();
    Page<T> page = snapshot.scan(query, limit);
    rows.addAndGet(page.records().size());
    return page;
  }

  @Override
  public int pageLimit() {
    return snapshot.pageLimit();
  }

  @Override
  public <T> Optional<T> first(Query<T> query) {
    scans.incrementAndGet();
    rows.incrementAndGet();
    return snapshot.first(query);
  }

  @Override
  public <T> long count(Query<T> query) {
    return snapshot.count(query);
  }
}
