package dev.caliber.store;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
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

/** One write in progress: its statements run inside its turn, at once but for what it appends. */
final class JdbcTransaction extends JdbcSnapshot implements Transaction {

  private final StoreConfig.Writes limits;
  private final Clock clock;
  private final Ids ids;
  private final Instant now;
  private final long revision;
  private final ChangeList changes;
  private final KnownRows.Writing rows;
  private final Appended appended;
  private @Nullable StoreException failure;

  /**
   * @param appended what the writes of its group have appended
   */
  JdbcTransaction(WriteTurn turn, SpaceId space, SpaceHead head, Appended appended) {
    super(turn.session(), space, turn.catalogue(), turn.config().reads());
    this.limits = turn.config().writes();
    this.clock = turn.seams().clock();
    this.ids = turn.seams().ids();
    this.now = dev.caliber.kernel.Timestamps.truncate(clock.instant());
    this.revision = head.sequence() + 1;
    this.changes = new ChangeList(limits.changesLimit());
    this.rows = turn.known().begin(space, head);
    this.appended = appended;
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public Id newId() {
    return ids.next();
  }

  /** Heads are advanced once for a whole group, so the table does not know it yet. */
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
    requireTurn();
    TableRuntime<T> runtime = catalogue.of(table);
    insertNew(runtime, checkedKey(table, record), record);
  }

  @Override
  public <T> void append(Table<T> table, T record) {
    requireTurn();
    TableRuntime<T> runtime = catalogue.of(table);
    String key = checkedKey(table, record);
    if (RowBinder.hasLongColumn(table, record)) {
      insertNew(runtime, key, record);
      return;
    }
    StoredBody body = sized(table, runtime.codec().encode(record, revision));
    AppendedRow row = new RowWriter<>(session, runtime).appendOf(space.value(), key, body, record);
    changes.add(table, key, ChangeKind.CREATED);
    try {
      appended.add(row);
    } catch (SQLException e) {
      throw failed("Appending records", e);
    }
  }

  @Override
  void touching(TableRuntime<?> table) {
    requireTime(); // a write that only reads holds up the others as well
    if (!appended.isWaitingFor(table)) {
      return;
    }
    requireNoFailure();
    try {
      appended.touching(table);
    } catch (SQLException e) {
      throw failed("Appending records", e);
    }
  }

  @Override
  public <T> void put(Table<T> table, T record) {
    requireTurn();
    TableRuntime<T> runtime = catalogue.of(table);
    String key = checkedKey(table, record);
    put(runtime, key, record, known(runtime, key));
  }

  private <T> void put(
      TableRuntime<T> runtime, String key, T record, Optional<KnownRows.Known<T>> old) {
    if (old.isPresent()) {
      replace(runtime, key, old.get(), record);
    } else {
      insertNew(runtime, key, record);
    }
  }

  @Override
  public <T> void put(Table<T> table, T record, long expectedRevision) {
    requireTurn();
    TableRuntime<T> runtime = catalogue.of(table);
    String key = checkedKey(table, record);
    Optional<KnownRows.Known<T>> old = known(runtime, key);
    long found = old.map(row -> row.body().revision()).orElse(0L);
    if (found != expectedRevision) {
      throw StoreException.revisionChanged(table.name(), key, expectedRevision, found);
    }
    put(runtime, key, record, old);
  }

  @Override
  public <T> T update(Table<T> table, Object key, UnaryOperator<T> change) {
    requireTurn();
    TableRuntime<T> runtime = catalogue.of(table);
    KnownRows.Known<T> old =
        known(runtime, key.toString())
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
    requireTurn();
    TableRuntime<T> runtime = catalogue.of(table);
    if (!ColumnType.isText(key.toString())) {
      return false;
    }
    touching(runtime);
    try {
      PreparedStatement statement = session.statement(runtime.sql().delete);
      statement.setString(1, space.value());
      statement.setString(2, key.toString());
      boolean deleted = statement.executeUpdate() > 0;
      rows.drop(table, key.toString());
      if (deleted) {
        changes.add(table, key.toString(), ChangeKind.DELETED);
      }
      return deleted;
    } catch (SQLException e) {
      throw failed("Deleting a " + table.name(), e);
    }
  }

  @Override
  public void keepInMind(String about, Record fact) {
    requireTurn();
    rows.keepFact(about, fact);
  }

  @Override
  public <F extends Record> Optional<F> inMind(String about, Class<F> type) {
    requireOpen();
    return rows.fact(about).filter(type::isInstance).map(type::cast);
  }

  @Override
  public <T> Optional<Row<T>> row(Table<T> table, Object key) {
    requireOpen();
    return known(catalogue.of(table), key.toString())
        .map(known -> new Row<>(known.decoded().record(), known.body().revision()));
  }

  /**
   * A decision reads a row, and its change writes over it, as the next one may do with another row:
   * read and decoded once.
   */
  private <T> Optional<KnownRows.Known<T>> known(TableRuntime<T> runtime, String key) {
    Optional<KnownRows.Known<T>> there = rows.find(runtime.table(), key);
    if (there.isPresent()) {
      return there;
    }
    Optional<KnownRows.Known<T>> read =
        body(runtime, key)
            .map(body -> new KnownRows.Known<>(body, runtime.codec().decodeWatching(body)));
    read.ifPresent(row -> rows.keep(runtime.table(), key, row));
    return read;
  }

  private <T> void insertNew(TableRuntime<T> runtime, String key, T record) {
    Table<T> table = runtime.table();
    StoredBody body = sized(table, runtime.codec().encode(record, revision));
    touching(runtime);
    try {
      if (!new RowWriter<>(session, runtime).insert(space.value(), key, body, record)) {
        throw refusedInsert(runtime, key, record);
      }
    } catch (SQLException e) {
      throw failed("Inserting a " + table.name(), e);
    }
    changes.add(table, key, ChangeKind.CREATED);
  }

  private <T> void replace(TableRuntime<T> runtime, String key, KnownRows.Known<T> old, T record) {
    Table<T> table = runtime.table();
    StoredBody body =
        sized(table, runtime.codec().encodeOver(old.body(), old.decoded(), record, revision));
    rows.drop(table, key);
    touching(runtime);
    try {
      updateOf(runtime, key, body, old, record).execute(session);
    } catch (SQLException e) {
      throw failed("Updating a " + table.name(), e);
    }
    changes.add(table, key, ChangeKind.UPDATED);
  }

  private <T> RowWrite updateOf(
      TableRuntime<T> runtime, String key, StoredBody body, KnownRows.Known<T> old, T record) {
    RowWriter<T> writer = new RowWriter<>(session, runtime);
    return old.body().schema() == runtime.table().schema()
        ? writer.updateOf(space.value(), key, body, old.decoded().record(), record)
        : writer.updateOf(space.value(), key, body, record);
  }

  @Override
  public <T> void putAll(Table<T> table, Collection<T> records) {
    requireTurn();
    try {
      putTogether(catalogue.of(table), keyed(table, records));
    } catch (RuntimeException refusal) {
      if (failure == null) {
        failure =
            refusal instanceof StoreException known
                ? known
                : StoreException.transactionFailed("Not every record was taken", refusal);
      }
      throw refusal;
    }
  }

  private static <T> Map<String, T> keyed(Table<T> table, Collection<T> records) {
    Map<String, T> keyed = new LinkedHashMap<>();
    for (T record : records) {
      String key = checkedKey(table, record);
      if (keyed.put(key, record) != null) {
        throw StoreException.keyExists(table.name(), key);
      }
    }
    return keyed;
  }

  private <T> void putTogether(TableRuntime<T> runtime, Map<String, T> records) {
    Map<String, StoredBody> old = bodies(runtime, records.keySet());
    RowBatch batch = new RowBatch(session);
    try {
      for (Map.Entry<String, T> entry : records.entrySet()) {
        RowWrite row = written(runtime, entry.getKey(), entry.getValue(), old.get(entry.getKey()));
        refuse(batch.add(row), runtime, records);
      }
      refuse(batch.flush(), runtime, records);
    } catch (SQLException e) {
      throw failed("Writing records of " + runtime.table().name(), e);
    }
  }

  /** Its insert or its update; the change is noted already. */
  private <T> RowWrite written(
      TableRuntime<T> runtime, String key, T record, @Nullable StoredBody there) {
    Table<T> table = runtime.table();
    rows.drop(table, key);
    if (there == null) {
      StoredBody body = sized(table, runtime.codec().encode(record, revision));
      changes.add(table, key, ChangeKind.CREATED);
      return new RowWriter<>(session, runtime).insertOf(space.value(), key, body, record);
    }
    Codec.Decoded<T> decoded = runtime.codec().decodeWatching(there);
    StoredBody body = sized(table, runtime.codec().encodeOver(there, decoded, record, revision));
    changes.add(table, key, ChangeKind.UPDATED);
    return updateOf(runtime, key, body, new KnownRows.Known<>(there, decoded), record);
  }

  private <T> void refuse(Optional<String> refused, TableRuntime<T> runtime, Map<String, T> records)
      throws SQLException {
    if (refused.isPresent()) {
      T record = Objects.requireNonNull(records.get(refused.get()));
      throw refusedInsert(runtime, refused.get(), record);
    }
  }

  /** The insert did nothing: says whether the key or a unique index was in its way. */
  private <T> StoreException refusedInsert(TableRuntime<T> runtime, String key, T record)
      throws SQLException {
    Table<T> table = runtime.table();
    if (body(runtime, key).isPresent()) {
      return StoreException.keyExists(table.name(), key);
    }
    Optional<Index> index = new RowWriter<>(session, runtime).duplicated(space.value(), record);
    return index.isPresent()
        ? StoreException.notUnique(table.name(), index.get().name(), key)
        : StoreException.transactionFailed("The insert of a " + table.name() + " had no effect");
  }

  private <T> StoredBody sized(Table<T> table, StoredBody body) {
    RowBinder.requireSize(table, body, limits.recordLimit());
    return body;
  }

  private static <T> String checkedKey(Table<T> table, T record) {
    String key = table.keyOf(record);
    RowBinder.requireKey(table, key);
    return key;
  }

  /**
   * A failed statement, be it only a read, ends the write. PostgreSQL would refuse the next one;
   * SQLite may have undone the whole transaction, and would commit the next one by itself.
   */
  @Override
  StoreException failed(String doing, SQLException e) {
    StoreException latest = super.failed(doing, e);
    if (failure == null) {
      failure = latest;
    }
    return failure;
  }

  private void requireTurn() {
    requireOpen();
    requireNoFailure();
    requireTime();
  }

  private void requireNoFailure() {
    if (failure != null) {
      throw StoreException.transactionFailed("The write has failed already", failure);
    }
  }

  private void requireTime() {
    if (clock.instant().isAfter(now.plus(limits.timeLimit()))) {
      throw StoreException.tooLong(limits.timeLimit());
    }
  }

  /** Called when the work is done: a write that failed or took too long must not commit. */
  void finish() {
    end();
    if (failure != null) {
      throw failure;
    }
    requireTime();
  }

  /** The commit's entry in the feed. */
  List<Change> visibleChanges() {
    return changes.visible();
  }
}
