package dev.caliber.server.operation;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.store.ForwardingStore;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Row;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A store in which, during the call of a caller with a subject, records of other subjects do not
 * exist: no read finds them, no list holds them, and a change of one is refused as a change of a
 * record that is not there. All rooms read through it, so that no operation has to filter.
 *
 * <pre>{@code
 * RecordStore store = new SubjectScopedStore(RecordStore.open(…));       // memory and the others are over it
 * SubjectScopedStore.during(SubjectScope.of(Optional.of("bob")), () -> memory.view(space, …));
 * }</pre>
 *
 * <p>Jobs run without a subject. The search index is not read through the store: recall takes the
 * scope itself.
 */
public final class SubjectScopedStore extends ForwardingStore {
  private static final ScopedValue<SubjectScope> SCOPE = ScopedValue.newInstance();
  private static final int COUNT_PAGE = 1000;

  public SubjectScopedStore(RecordStore store) {
    super(store);
  }

  /** Does it with only the records that the scope sees. */
  static <T> T during(SubjectScope scope, Supplier<T> work) {
    return ScopedValue.where(SCOPE, scope).call(work::get);
  }

  /** Does it with the records of every subject, after its caller has been held to its own. */
  static <T> T freely(Supplier<T> work) {
    return during(SubjectScope.every(), work);
  }

  /** The transaction with the records of every subject, to find out what is not the caller's. */
  static Transaction unfiltered(Transaction transaction) {
    return transaction instanceof Writing own ? own.all : transaction;
  }

  @Override
  public <T> T read(SpaceId space, Function<Snapshot, T> work) {
    SubjectScope scope = SCOPE.orElse(SubjectScope.every());
    return scope.all()
        ? store().read(space, work)
        : store()
            .read(
                space,
                snapshot -> work.apply(new Visible<>(snapshot, new RecordOwners(snapshot, scope))));
  }

  @Override
  public <T> T write(SpaceId space, Function<Transaction, T> work) {
    SubjectScope scope = SCOPE.orElse(SubjectScope.every());
    return scope.all()
        ? store().write(space, work)
        : store().write(space, transaction -> work.apply(new Writing(transaction, scope)));
  }

  /** A snapshot without the records that the scope does not see. */
  private static class Visible<S extends Snapshot> implements Snapshot {
    final S all;
    private final RecordOwners owners;

    Visible(S all, RecordOwners owners) {
      this.all = all;
      this.owners = owners;
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
      return all.row(table, key).filter(row -> owners.sees(table, row.record()));
    }

    @Override
    public <T> Map<String, T> findAll(Table<T> table, Collection<?> keys) {
      Map<String, T> seen = new LinkedHashMap<>();
      all.findAll(table, keys)
          .forEach(
              (key, record) -> {
                if (owners.sees(table, record)) {
                  seen.put(key, record);
                }
              });
      return seen;
    }

    private <T> Query<T> visible(Query<T> query) {
      return query.and(record -> owners.sees(query.table(), record));
    }

    @Override
    public <T> Page<T> scan(Query<T> query, int limit) {
      return all.scan(visible(query), limit);
    }

    @Override
    public <T> Optional<T> first(Query<T> query) {
      return all.first(visible(query));
    }

    /** Reads what it counts: only the record says whose it is. */
    @Override
    public <T> long count(Query<T> query) {
      Query<T> seen = visible(query);
      Page<T> page = all.scan(seen, COUNT_PAGE);
      long count = page.records().size();
      while (page.next().isPresent()) {
        PageCursor place = page.next().get();
        page = all.scan(seen.resume(place), COUNT_PAGE);
        count += page.records().size();
      }
      return count;
    }
  }

  /** A commit in which those records cannot be changed, and shared ones not removed. */
  private static final class Writing extends Visible<Transaction> implements Transaction {
    Writing(Transaction all, SubjectScope scope) {
      super(all, new RecordOwners(all, scope));
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
      get(table, key); // refuses one that this caller does not see
      return all.update(
          table, key, old -> RecordOwners.untaken(table, key, old, change.apply(old)));
    }

    @Override
    public <T> boolean delete(Table<T> table, Object key) {
      Optional<T> found = find(table, key);
      found
          .filter(RecordOwners::isShared)
          .ifPresent(
              _ -> {
                throw ServerException.sharedRecord(table.name(), key.toString());
              });
      return found.isPresent() && all.delete(table, key);
    }

    @Override
    public void keepInMind(String about, Record fact) {
      all.keepInMind(about, fact);
    }

    @Override
    public <F extends Record> Optional<F> inMind(String about, Class<F> type) {
      return all.inMind(about, type);
    }
  }
}
