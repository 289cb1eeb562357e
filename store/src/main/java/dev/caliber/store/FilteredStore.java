package dev.caliber.store;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Store in which some records do not exist for a reader: no read finds them, no list contains them,
 * and a change of one is refused as a change of a missing record. A subclass decides for each
 * snapshot.
 */
public abstract class FilteredStore extends ForwardingStore {
  protected FilteredStore(RecordStore store) {
    super(store);
  }

  /** Rule that decides which records of one snapshot a reader sees. */
  protected interface Visibility {
    <T> boolean isVisible(Table<T> table, T record);

    /** Returns whether records of this table may be hidden at all. */
    default boolean canHide(Table<?> table) {
      return true;
    }

    /** Called before a visible record is deleted; may refuse the deletion. */
    default <T> void requireDeletable(Table<T> table, T record) {}

    /** Called before a visible record is changed; may refuse the change. */
    default <T> void requireChangeable(Table<T> table, T old, T changed) {}
  }

  /**
   * Returns the visibility of reads and writes called now on this thread; empty if all is visible.
   */
  protected abstract Optional<Function<Snapshot, Visibility>> visibility();

  @Override
  public <T> T read(SpaceId space, Function<Snapshot, T> work) {
    Function<Snapshot, T> filtered =
        visibility()
            .<Function<Snapshot, T>>map(
                decide -> all -> work.apply(new FilteredSnapshot<>(all, decide.apply(all))))
            .orElse(work);
    return delegate().read(space, filtered);
  }

  @Override
  public <T> T write(SpaceId space, Function<Transaction, T> work) {
    Function<Transaction, T> filtered =
        visibility()
            .<Function<Transaction, T>>map(
                decide -> all -> work.apply(new FilteredTransaction(all, decide.apply(all))))
            .orElse(work);
    return delegate().write(space, filtered);
  }

  /** Returns the transaction including the records that visibility of this kind hides. */
  protected static Transaction unfiltered(
      Class<? extends Visibility> kind, Transaction transaction) {
    return transaction instanceof FilteredTransaction filteredTransaction
            && kind.isInstance(filteredTransaction.visibility)
        ? filteredTransaction.all
        : transaction;
  }

  /** Snapshot without the hidden records. */
  private static class FilteredSnapshot<S extends Snapshot> implements Snapshot {
    final S all;
    final Visibility visibility;

    FilteredSnapshot(S all, Visibility visibility) {
      this.all = all;
      this.visibility = visibility;
    }

    @Override
    public SpaceId space() {
      return all.space();
    }

    @Override
    public long sequence() {
      return all.sequence();
    }

    @Override
    public long epoch() {
      return all.epoch();
    }

    @Override
    public <T> Optional<Row<T>> row(Table<T> table, Object key) {
      return all.row(table, key).filter(row -> visibility.isVisible(table, row.record()));
    }

    @Override
    public <T> Map<String, T> findAll(Table<T> table, Collection<?> keys) {
      Map<String, T> seen = new LinkedHashMap<>();
      all.findAll(table, keys)
          .forEach(
              (key, record) -> {
                if (visibility.isVisible(table, record)) {
                  seen.put(key, record);
                }
              });
      return seen;
    }

    private <T> Query<T> visibleOnly(Query<T> query) {
      return visibility.canHide(query.table())
          ? query.and(record -> visibility.isVisible(query.table(), record))
          : query;
    }

    @Override
    public <T> Page<T> scan(Query<T> query, int limit) {
      return all.scan(visibleOnly(query), limit);
    }

    @Override
    public int pageLimit() {
      return all.pageLimit();
    }

    @Override
    public <T> Optional<T> first(Query<T> query) {
      return all.first(visibleOnly(query));
    }

    /** Reads the records to count them where some may be hidden: only the record decides that. */
    @Override
    public <T> long count(Query<T> query) {
      if (!visibility.canHide(query.table())) {
        return all.count(query);
      }
      LongAdder count = new LongAdder();
      forEach(query, _ -> count.increment());
      return count.sum();
    }
  }

  /** Transaction in which hidden records cannot be changed. */
  private static final class FilteredTransaction extends FilteredSnapshot<Transaction>
      implements Transaction {
    FilteredTransaction(Transaction all, Visibility visibility) {
      super(all, visibility);
    }

    @Override
    public Instant now() {
      return all.now();
    }

    @Override
    public Id newId() {
      return all.newId();
    }

    @Override
    public long revision() {
      return all.revision();
    }

    @Override
    public <T> void insert(Table<T> table, T record) {
      all.insert(table, record);
    }

    @Override
    public <T> void append(Table<T> table, T record) {
      all.append(table, record);
    }

    @Override
    public <T> void put(Table<T> table, T record) {
      all.put(table, record);
    }

    @Override
    public <T> void putAll(Table<T> table, Collection<T> records) {
      all.putAll(table, records);
    }

    @Override
    public <T> void put(Table<T> table, T record, long expectedRevision) {
      all.put(table, record, expectedRevision);
    }

    @Override
    public <T> T update(Table<T> table, Object key, UnaryOperator<T> change) {
      if (!visibility.canHide(table)) {
        return all.update(table, key, change);
      }
      get(table, key); // refuses a hidden record
      return all.update(
          table,
          key,
          old -> {
            T changed = change.apply(old);
            visibility.requireChangeable(table, old, changed);
            return changed;
          });
    }

    @Override
    public <T> boolean delete(Table<T> table, Object key) {
      if (!visibility.canHide(table)) {
        return all.delete(table, key);
      }
      Optional<T> found = find(table, key);
      found.ifPresent(record -> visibility.requireDeletable(table, record));
      return found.isPresent() && all.delete(table, key);
    }

    @Override
    public void cacheFact(String about, Record fact) {
      all.cacheFact(about, fact);
    }

    @Override
    public <F extends Record> Optional<F> cachedFact(String about, Class<F> type) {
      return all.cachedFact(about, type);
    }
  }
}
