package dev.caliber.store.jdbc;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Column;
import dev.caliber.store.ColumnType;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.Row;
import dev.caliber.store.Snapshot;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import dev.caliber.store.TableIndex;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.DeclaredTables;
import dev.caliber.store.jdbc.sql.Dialect;
import dev.caliber.store.jdbc.sql.PreparedTable;
import dev.caliber.store.jdbc.sql.SpaceHead;
import dev.caliber.store.jdbc.sql.StoredBody;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads of one space on one session, inside a database transaction. */
class JdbcSnapshot implements Snapshot {

  private static final int KEY = 1;
  private static final int REVISION = 2;
  private static final int SCHEMA = 3;
  private static final int CRC = 4;
  private static final int BODY = 5;

  /**
   * Upper bound of the bodies held in memory while a filter runs; a single record may be larger.
   */
  private static final long SIFTED_BYTES_BOUND = 4L << 20;

  final DatabaseSession session;
  final SpaceId space;
  final DeclaredTables catalogue;
  private final StoreConfig.ReadSettings limits;
  private boolean ended;

  JdbcSnapshot(
      DatabaseSession databaseSession,
      SpaceId space,
      DeclaredTables declaredTables,
      StoreConfig.ReadSettings limits) {
    this.session = databaseSession;
    this.space = space;
    this.catalogue = declaredTables;
    this.limits = limits;
  }

  @Override
  public SpaceId space() {
    return space;
  }

  @Override
  public long sequence() {
    return head().sequence();
  }

  @Override
  public long epoch() {
    return head().epoch();
  }

  private SpaceHead head() {
    requireOpen();
    try {
      return session.head(space).orElseThrow(() -> StoreException.unknownSpace(space));
    } catch (SQLException e) {
      throw statementError("Reading the head", e);
    }
  }

  @Override
  public <T> Optional<Row<T>> row(Table<T> table, Object key) {
    requireOpen();
    PreparedTable<T> runtime = catalogue.runtimeOf(table);
    return body(runtime, key.toString())
        .map(body -> new Row<>(runtime.codec().decode(body), body.revision()));
  }

  final <T> Optional<StoredBody> body(PreparedTable<T> runtime, String key) {
    if (!ColumnType.isText(key)) {
      return Optional.empty();
    }
    beforeAccess(runtime);
    try {
      PreparedStatement statement = session.statement(runtime.sql().select);
      statement.setString(1, space.value());
      statement.setString(2, key);
      try (ResultSet rows = statement.executeQuery()) {
        if (!rows.next()) {
          return Optional.empty();
        }
        StoredBody body = readBody(runtime.table(), rows);
        requireKey(runtime.table(), key, rows);
        return Optional.of(body);
      }
    } catch (SQLException e) {
      throw statementError("Reading a " + runtime.table().name(), e);
    }
  }

  @Override
  public <T> Map<String, T> findAll(Table<T> table, Collection<?> keys) {
    requireOpen();
    PreparedTable<T> runtime = catalogue.runtimeOf(table);
    Map<String, T> found = new LinkedHashMap<>();
    bodies(runtime, keys.stream().map(Object::toString).toList())
        .forEach((key, body) -> found.put(key, runtime.codec().decode(body)));
    return found;
  }

  /** Returns the rows with these keys, in the order of the keys. */
  final <T> Map<String, StoredBody> bodies(PreparedTable<T> runtime, Collection<String> keys) {
    Set<String> wanted = new LinkedHashSet<>(keys);
    wanted.removeIf(key -> !ColumnType.isText(key));
    Map<String, StoredBody> read = new HashMap<>();
    beforeAccess(runtime);
    try {
      PreparedStatement statement = session.statement(runtime.sql().selectThese);
      statement.setString(1, space.value());
      session.dialect().bindTexts(statement, 2, wanted);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          read.put(rows.getString(KEY), readBody(runtime.table(), rows));
        }
      }
    } catch (SQLException e) {
      throw statementError("Reading records of " + runtime.table().name(), e);
    }
    Map<String, StoredBody> found = new LinkedHashMap<>();
    wanted.forEach(key -> Optional.ofNullable(read.remove(key)).ifPresent(b -> found.put(key, b)));
    requireNone(runtime.table(), read.keySet());
    return found;
  }

  /**
   * Throws if the engine returned rows of other keys: a damaged index entry can lead to an
   * undamaged but wrong row.
   */
  private void requireNone(Table<?> table, Set<String> others) {
    if (!others.isEmpty()) {
      throw StoreException.corrupt(
          "An index of table '%s' in space '%s' is damaged: it returns the row '%s', which does not match the query"
              .formatted(table.name(), space.value(), others.iterator().next()));
    }
  }

  @Override
  public <T> Page<T> scan(Query<T> query, int limit) {
    requireOpen();
    if (limit < 1 || limit > limits.pageLimit()) {
      throw new IllegalArgumentException(
          "the page size: expected 1 to %d rows (store.reads.page-limit), found %d"
              .formatted(limits.pageLimit(), limit));
    }
    if (query.filter().isPresent()) {
      return filteredPage(query, limit);
    }
    PreparedTable<T> runtime = catalogue.runtimeOf(query.table());
    FetchedRows fetchedRows = fetch(query, limit, limit + 1, Long.MAX_VALUE);
    List<Row<T>> rows = fetchedRows.bodies.stream().map(body -> decodeRow(runtime, body)).toList();
    return new Page<>(
        rows,
        fetchedRows.more
            ? Optional.of(PageCursor.of(query, rows.getLast().record()))
            : Optional.empty());
  }

  @Override
  public int pageLimit() {
    return limits.pageLimit();
  }

  @Override
  public <T> Optional<T> first(Query<T> query) {
    requireOpen();
    return query.filter().isPresent()
        ? firstPassing(query)
        : fetch(query, 1, 1, Long.MAX_VALUE).bodies.stream()
            .map(body -> catalogue.runtimeOf(query.table()).codec().decode(body))
            .findFirst();
  }

  private <T> Optional<T> firstPassing(Query<T> query) {
    Page<T> page = filteredPage(query, 1);
    while (page.records().isEmpty() && page.next().isPresent()) {
      page = filteredPage(query.resume(page.next().get()), 1);
    }
    return page.records().stream().findFirst();
  }

  @Override
  public <T> long count(Query<T> query) {
    requireOpen();
    if (query.filter().isPresent() || query.cursor().isPresent()) {
      throw new IllegalArgumentException(
          "the count of rows: only a query without a filter and without a cursor can be counted");
    }
    PreparedTable<T> runtime = catalogue.runtimeOf(query.table());
    beforeAccess(runtime);
    try {
      PreparedStatement statement = session.statement(runtime.sql().countStatement(query.shape()));
      bindQuery(statement, query);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    } catch (SQLException e) {
      throw statementError("Counting " + query.table().name(), e);
    }
  }

  /**
   * Reads until the page is full, the rows end, or the scan limit is reached. The first read
   * fetches as many rows as the page needs, because most filters pass most rows.
   */
  private <T> Page<T> filteredPage(Query<T> query, int limit) {
    FilteredRows<T> filteredRows = new FilteredRows<>(query.filter().orElseThrow(), limit);
    Query<T> rest = query;
    for (int wanted = limit; ; wanted = Math.min(limits.pageLimit(), 2 * wanted)) {
      int chunk = Math.min(wanted, limits.scanLimit() - filteredRows.examined);
      FetchedRows fetchedRows = fetch(rest, chunk, chunk + 1, SIFTED_BYTES_BOUND);
      boolean more = filterRows(fetchedRows, catalogue.runtimeOf(query.table()), filteredRows);
      if (!more) {
        return new Page<>(filteredRows.passed, Optional.empty());
      }
      PageCursor place = PageCursor.of(query, Objects.requireNonNull(filteredRows.last));
      if (filteredRows.isFull() || filteredRows.examined >= limits.scanLimit()) {
        return new Page<>(filteredRows.passed, Optional.of(place));
      }
      rest = query.resume(place);
    }
  }

  /** Decodes only as many rows as the page needs; returns whether further rows follow. */
  private static <T> boolean filterRows(
      FetchedRows fetchedRows, PreparedTable<T> runtime, FilteredRows<T> filteredRows) {
    for (StoredBody body : fetchedRows.bodies) {
      if (filteredRows.isFull()) {
        return true;
      }
      filteredRows.addIfPassing(decodeRow(runtime, body));
    }
    return fetchedRows.more;
  }

  /** Collector of the rows that pass the filter, until there are enough. */
  private static final class FilteredRows<T> {
    private final Predicate<T> filter;
    private final int limit;
    private final List<Row<T>> passed = new ArrayList<>();
    private int examined;
    private @Nullable T last;

    FilteredRows(Predicate<T> filter, int limit) {
      this.filter = filter;
      this.limit = limit;
    }

    void addIfPassing(Row<T> row) {
      examined++;
      last = row.record();
      if (filter.test(row.record())) {
        passed.add(row);
      }
    }

    boolean isFull() {
      return passed.size() == limit;
    }
  }

  /**
   * Rows of one fetch, and whether further rows follow. The statement is closed before the filter
   * sees the rows, since the filter may run the same statement.
   */
  private record FetchedRows(List<StoredBody> bodies, boolean more) {}

  private static <T> Row<T> decodeRow(PreparedTable<T> runtime, StoredBody body) {
    return new Row<>(runtime.codec().decode(body), body.revision());
  }

  /**
   * Steps over {@code stepped} rows and reads those up to the limit, or fewer if they have many
   * bytes.
   */
  private <T> FetchedRows fetch(Query<T> query, int limit, int stepped, long bytes) {
    PreparedTable<T> runtime = catalogue.runtimeOf(query.table());
    beforeAccess(runtime);
    try {
      PreparedStatement statement = session.statement(runtime.sql().scanStatement(query.shape()));
      int position = bindQuery(statement, query);
      statement.setInt(position, stepped);
      try (ResultSet rows = statement.executeQuery()) {
        List<StoredBody> fetched = new ArrayList<>();
        long left = bytes;
        while (rows.next()) {
          if (fetched.size() == limit || left <= 0) {
            return new FetchedRows(fetched, true);
          }
          StoredBody body = readBody(runtime.table(), rows);
          fetched.add(body);
          left -= body.size();
        }
        return new FetchedRows(fetched, false);
      }
    } catch (SQLException e) {
      throw statementError("Scanning " + query.table().name(), e);
    }
  }

  /** Binds space, fixed columns, range and cursor; returns the next free position. */
  private <T> int bindQuery(PreparedStatement statement, Query<T> query) throws SQLException {
    Dialect dialect = session.dialect();
    int position = 1;
    statement.setString(position++, space.value());
    List<String> indexed = query.shape().index().map(TableIndex::columns).orElse(List.of());
    for (int i = 0; i < query.equalValues().size(); i++) {
      ColumnType type = query.table().column(indexed.get(i)).type();
      dialect.bind(statement, position++, type, query.equalValues().get(i));
    }
    if (query.lowerBound().isPresent()) {
      dialect.bind(statement, position++, query.rangeType(), query.lowerBound().get());
    }
    if (query.upperBound().isPresent()) {
      dialect.bind(statement, position++, query.rangeType(), query.upperBound().get());
    }
    if (query.cursor().isPresent()) {
      PageCursor.CursorPosition cursorPosition = query.cursor().get().position(query);
      List<Column<T>> order = query.orderColumns();
      for (int i = 0; i < order.size(); i++) {
        dialect.bind(statement, position++, order.get(i).type(), cursorPosition.values().get(i));
      }
      statement.setString(position++, cursorPosition.key());
    }
    return position;
  }

  /**
   * Throws if the row has another key: a damaged index entry can lead to an undamaged but wrong
   * row.
   */
  private void requireKey(Table<?> table, String wanted, ResultSet rows) throws SQLException {
    String found = rows.getString(KEY);
    if (!wanted.equals(found)) {
      throw StoreException.corrupt(
          "An index of table '%s' in space '%s' is damaged: for the key '%s' it returns the row '%s'"
              .formatted(table.name(), space.value(), wanted, found));
    }
  }

  /** Returns the body of a result row after verifying its checksum. */
  private <T> StoredBody readBody(Table<T> table, ResultSet rows) throws SQLException {
    List<byte @Nullable []> binaries = List.of();
    if (!table.binaries().isEmpty()) {
      binaries = new ArrayList<>();
      for (int i = 0; i < table.binaries().size(); i++) {
        binaries.add(rows.getBytes(BODY + 1 + i));
      }
    }
    byte[] key = rows.getBytes(KEY);
    byte[] json = rows.getBytes(BODY);
    if (key == null || json == null) {
      throw StoreException.corrupt(
          "A record of table '%s' in space '%s' has lost its key or its body"
              .formatted(table.name(), space.value()));
    }
    StoredBody body = new StoredBody(rows.getLong(REVISION), rows.getInt(SCHEMA), json, binaries);
    if (session.checksum().compute(space.value(), key, body, table.binaries())
        != rows.getLong(CRC)) {
      throw StoreException.corrupt(
          "The %s '%s' in space '%s' does not match its checksum"
              .formatted(table.name(), new String(key, StandardCharsets.UTF_8), space.value()));
    }
    return body;
  }

  /** Called before records of this table are read or written. */
  void beforeAccess(PreparedTable<?> table) {
    // A snapshot has no buffered writes.
  }

  /**
   * Translates the failure of a statement; {@code doing} describes the statement in the message.
   */
  StoreException statementError(String doing, SQLException e) {
    return session.dialect().translate(doing, e);
  }

  /**
   * Ends this view. It must not be used afterwards, because its session is lent to another caller.
   */
  final void end() {
    ended = true;
  }

  final void requireOpen() {
    if (ended) {
      throw new IllegalStateException(
          "This snapshot or transaction has ended and can no longer read or write");
    }
  }
}
