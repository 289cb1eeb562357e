package dev.caliber.store.jdbc;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.ColumnType;
import dev.caliber.store.RecordChange;
import dev.caliber.store.Row;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import dev.caliber.store.TableIndex;
import dev.caliber.store.Transaction;
import dev.caliber.store.jdbc.sql.AppendedRow;
import dev.caliber.store.jdbc.sql.Codec;
import dev.caliber.store.jdbc.sql.PreparedTable;
import dev.caliber.store.jdbc.sql.RowBinder;
import dev.caliber.store.jdbc.sql.RowWrite;
import dev.caliber.store.jdbc.sql.RowWriter;
import dev.caliber.store.jdbc.sql.SpaceHead;
import dev.caliber.store.jdbc.sql.StoredBody;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One write in progress. Its statements run within its write turn and at once, except for appended
 * rows, which are buffered.
 */
final class JdbcTransaction extends JdbcSnapshot implements Transaction {

  private final StoreConfig.WriteSettings limits;
  private final Clock clock;
  private final IdGenerator idGenerator;
  private final Instant now;
  private final long revision;
  private final ChangeList changes;
  private final WriterRowCache.WriteCacheView rows;
  private final PendingAppends pendingAppends;
  private @Nullable StoreException failure;
  private boolean statementFailed;

  /**
   * @param pendingAppends rows appended by the writes of the same group
   */
  JdbcTransaction(
      WriterContext turn, SpaceId space, SpaceHead head, PendingAppends pendingAppends) {
    super(turn.session(), space, turn.tables(), turn.config().reads());
    this.limits = turn.config().writes();
    this.clock = turn.dependencies().clock();
    this.idGenerator = turn.dependencies().ids();
    this.now = dev.caliber.kernel.Timestamps.truncate(clock.instant());
    this.revision = head.sequence() + 1;
    this.changes = new ChangeList(limits.changesLimit());
    this.rows = turn.rowCache().beginWrite(space, head);
    this.pendingAppends = pendingAppends;
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public Id newId() {
    return idGenerator.next();
  }

  /**
   * Returns the sequence of this write's commit. Heads are advanced once for a whole group, so the
   * table may hold an older one.
   */
  @Override
  public long sequence() {
    requireOpen();
    return revision - 1;
  }

  @Override
  public long revision() {
    return revision;
  }

  ChangeList changes() {
    return changes;
  }

  @Override
  public <T> void insert(Table<T> table, T record) {
    requireWritable();
    PreparedTable<T> runtime = catalogue.runtimeOf(table);
    insertNew(runtime, checkedKey(table, record), record);
  }

  @Override
  public <T> void append(Table<T> table, T record) {
    requireWritable();
    PreparedTable<T> runtime = catalogue.runtimeOf(table);
    String key = checkedKey(table, record);
    StoredBody body = checkedSize(table, runtime.codec().encode(record, revision));
    AppendedRow row = new RowWriter<>(session, runtime).appendOf(space.value(), key, body, record);
    changes.add(table, key, ChangeKind.CREATED);
    try {
      pendingAppends.add(row);
    } catch (SQLException e) {
      throw statementError("Appending records", e);
    }
  }

  @Override
  void beforeAccess(PreparedTable<?> table) {
    requireTime(); // a write that only reads blocks other writes as well
    if (!pendingAppends.hasPendingRows(table)) {
      return;
    }
    requireNoFailure();
    try {
      pendingAppends.flush(table);
    } catch (SQLException e) {
      throw statementError("Appending records", e);
    }
  }

  @Override
  public <T> void put(Table<T> table, T record) {
    requireWritable();
    PreparedTable<T> runtime = catalogue.runtimeOf(table);
    String key = checkedKey(table, record);
    put(runtime, key, record, cachedOrRead(runtime, key));
  }

  private <T> void put(
      PreparedTable<T> runtime, String key, T record, Optional<WriterRowCache.CachedRow<T>> old) {
    if (old.isPresent()) {
      replace(runtime, key, old.get(), record);
    } else {
      insertNew(runtime, key, record);
    }
  }

  @Override
  public <T> void put(Table<T> table, T record, long expectedRevision) {
    requireWritable();
    PreparedTable<T> runtime = catalogue.runtimeOf(table);
    String key = checkedKey(table, record);
    Optional<WriterRowCache.CachedRow<T>> old = cachedOrRead(runtime, key);
    long found = old.map(row -> row.body().revision()).orElse(0L);
    if (found != expectedRevision) {
      throw StoreException.revisionChanged(table.name(), key, expectedRevision, found);
    }
    put(runtime, key, record, old);
  }

  @Override
  public <T> T update(Table<T> table, Object key, UnaryOperator<T> change) {
    requireWritable();
    PreparedTable<T> runtime = catalogue.runtimeOf(table);
    WriterRowCache.CachedRow<T> old =
        cachedOrRead(runtime, key.toString())
            .orElseThrow(() -> StoreException.notFound(table.name(), key.toString(), space));
    T changed = change.apply(old.decoded().record());
    if (!table.keyOf(changed).equals(key.toString())) {
      throw StoreException.invalidRecord(table.name(), "an update must not change the key");
    }
    replace(runtime, key.toString(), old, changed);
    return changed;
  }

  @Override
  public <T> boolean delete(Table<T> table, Object key) {
    requireWritable();
    PreparedTable<T> runtime = catalogue.runtimeOf(table);
    if (!ColumnType.isText(key.toString())) {
      return false;
    }
    beforeAccess(runtime);
    try {
      pendingAppends.beforeSend();
      PreparedStatement statement = session.statement(runtime.sql().delete);
      statement.setString(1, space.value());
      statement.setString(2, key.toString());
      boolean deleted = statement.executeUpdate() > 0;
      rows.removeRow(table, key.toString());
      if (deleted) {
        changes.add(table, key.toString(), ChangeKind.DELETED);
      }
      return deleted;
    } catch (SQLException e) {
      throw statementError("Deleting a " + table.name(), e);
    }
  }

  @Override
  public void cacheFact(String about, Record fact) {
    requireWritable();
    rows.putFact(about, fact);
  }

  @Override
  public <F extends Record> Optional<F> cachedFact(String about, Class<F> type) {
    requireOpen();
    return rows.fact(about).filter(type::isInstance).map(type::cast);
  }

  @Override
  public <T> Optional<Row<T>> row(Table<T> table, Object key) {
    requireOpen();
    return cachedOrRead(catalogue.runtimeOf(table), key.toString())
        .map(cachedRow -> new Row<>(cachedRow.decoded().record(), cachedRow.body().revision()));
  }

  /**
   * Returns the row from the cache, else reads it. A write often reads a row, then changes it, and
   * the next write does so again: the row is read and decoded once.
   */
  private <T> Optional<WriterRowCache.CachedRow<T>> cachedOrRead(
      PreparedTable<T> runtime, String key) {
    Optional<WriterRowCache.CachedRow<T>> there = rows.findRow(runtime.table(), key);
    if (there.isPresent()) {
      return there;
    }
    Optional<WriterRowCache.CachedRow<T>> read =
        body(runtime, key)
            .map(
                body ->
                    new WriterRowCache.CachedRow<>(
                        body, runtime.codec().decodeWithCompleteness(body)));
    read.ifPresent(row -> rows.putRow(runtime.table(), key, row));
    return read;
  }

  private <T> void insertNew(PreparedTable<T> runtime, String key, T record) {
    Table<T> table = runtime.table();
    StoredBody body = checkedSize(table, runtime.codec().encode(record, revision));
    beforeAccess(runtime);
    try {
      pendingAppends.beforeSend();
      if (!new RowWriter<>(session, runtime).insert(space.value(), key, body, record)) {
        throw refusedInsert(runtime, key, record);
      }
    } catch (SQLException e) {
      throw statementError("Inserting a " + table.name(), e);
    }
    changes.add(table, key, ChangeKind.CREATED);
  }

  private <T> void replace(
      PreparedTable<T> runtime, String key, WriterRowCache.CachedRow<T> old, T record) {
    Table<T> table = runtime.table();
    StoredBody body =
        checkedSize(
            table, runtime.codec().encodeReplacing(old.body(), old.decoded(), record, revision));
    rows.removeRow(table, key);
    beforeAccess(runtime);
    try {
      pendingAppends.beforeSend();
      updateOf(runtime, key, body, old, record).execute(session);
    } catch (SQLException e) {
      throw statementError("Updating a " + table.name(), e);
    }
    changes.add(table, key, ChangeKind.UPDATED);
  }

  private <T> RowWrite updateOf(
      PreparedTable<T> runtime,
      String key,
      StoredBody body,
      WriterRowCache.CachedRow<T> old,
      T record) {
    RowWriter<T> writer = new RowWriter<>(session, runtime);
    return old.body().schema() == runtime.table().schema()
        ? writer.updateOf(space.value(), key, body, old.decoded().record(), record)
        : writer.updateOf(space.value(), key, body, record);
  }

  @Override
  public <T> void putAll(Table<T> table, Collection<T> records) {
    requireWritable();
    try {
      putBatch(catalogue.runtimeOf(table), recordsByKey(table, records));
    } catch (RuntimeException refusal) {
      if (failure == null) {
        failure =
            refusal instanceof StoreException known
                ? known
                : StoreException.transactionFailed(
                    "Not every record of the write was accepted", refusal);
      }
      throw refusal;
    }
  }

  private static <T> Map<String, T> recordsByKey(Table<T> table, Collection<T> records) {
    Map<String, T> keyed = new LinkedHashMap<>();
    for (T record : records) {
      String key = checkedKey(table, record);
      if (keyed.put(key, record) != null) {
        throw StoreException.keyExists(table.name(), key);
      }
    }
    return keyed;
  }

  private <T> void putBatch(PreparedTable<T> runtime, Map<String, T> records) {
    Map<String, StoredBody> old = bodies(runtime, records.keySet());
    RowBatch batch = new RowBatch(session);
    try {
      pendingAppends.beforeSend();
      for (Map.Entry<String, T> entry : records.entrySet()) {
        RowWrite row = rowWrite(runtime, entry.getKey(), entry.getValue(), old.get(entry.getKey()));
        requireInserted(batch.add(row), runtime, records);
      }
      requireInserted(batch.flush(), runtime, records);
    } catch (SQLException e) {
      throw statementError("Writing records of " + runtime.table().name(), e);
    }
  }

  /** Returns the insert or update of the record and registers the change. */
  private <T> RowWrite rowWrite(
      PreparedTable<T> runtime, String key, T record, @Nullable StoredBody there) {
    Table<T> table = runtime.table();
    rows.removeRow(table, key);
    if (there == null) {
      StoredBody body = checkedSize(table, runtime.codec().encode(record, revision));
      changes.add(table, key, ChangeKind.CREATED);
      return new RowWriter<>(session, runtime).insertOf(space.value(), key, body, record);
    }
    Codec.DecodedRecord<T> decodedRecord = runtime.codec().decodeWithCompleteness(there);
    StoredBody body =
        checkedSize(table, runtime.codec().encodeReplacing(there, decodedRecord, record, revision));
    changes.add(table, key, ChangeKind.UPDATED);
    return updateOf(
        runtime, key, body, new WriterRowCache.CachedRow<>(there, decodedRecord), record);
  }

  private <T> void requireInserted(
      Optional<String> refused, PreparedTable<T> runtime, Map<String, T> records)
      throws SQLException {
    if (refused.isPresent()) {
      T record = Objects.requireNonNull(records.get(refused.get()));
      throw refusedInsert(runtime, refused.get(), record);
    }
  }

  /** Returns the error of an insert that did nothing: the key or a unique value already exists. */
  private <T> StoreException refusedInsert(PreparedTable<T> runtime, String key, T record)
      throws SQLException {
    Table<T> table = runtime.table();
    if (body(runtime, key).isPresent()) {
      return StoreException.keyExists(table.name(), key);
    }
    Optional<TableIndex> index =
        new RowWriter<>(session, runtime).violatedIndex(space.value(), record);
    return index.isPresent()
        ? StoreException.notUnique(table.name(), index.get().name(), key)
        : StoreException.transactionFailed("The insert of a " + table.name() + " had no effect");
  }

  private <T> StoredBody checkedSize(Table<T> table, StoredBody body) {
    RowBinder.requireSize(table, body, limits.recordLimit());
    return body;
  }

  private static <T> String checkedKey(Table<T> table, T record) {
    String key = table.keyOf(record);
    RowBinder.requireKey(table, key);
    return key;
  }

  /**
   * Marks the write as failed, even if the failed statement only reads. PostgreSQL would refuse the
   * next statement; SQLite may have rolled back the whole transaction and would commit the next
   * statement on its own.
   */
  @Override
  StoreException statementError(String doing, SQLException e) {
    StoreException latest = super.statementError(doing, e);
    statementFailed = true;
    if (failure == null) {
      failure = latest;
    }
    return failure;
  }

  /**
   * Returns whether a statement of this write has failed, after which the engine may refuse all.
   */
  boolean hasFailedStatement() {
    return statementFailed;
  }

  private void requireWritable() {
    requireOpen();
    requireNoFailure();
    requireTime();
  }

  private void requireNoFailure() {
    if (failure != null) {
      throw StoreException.transactionFailed(
          "An earlier change of the same write has failed", failure);
    }
  }

  private void requireTime() {
    if (clock.instant().isAfter(now.plus(limits.timeLimit()))) {
      throw StoreException.writeTooLong(limits.timeLimit());
    }
  }

  /**
   * Called when the work is done. Throws if the write failed or took too long, so that it does not
   * commit.
   */
  void finish() {
    end();
    if (failure != null) {
      throw failure;
    }
    requireTime();
  }

  /** Returns the changes for the commit's entry in the feed. */
  List<RecordChange> visibleChanges() {
    return changes.visibleChanges();
  }
}
