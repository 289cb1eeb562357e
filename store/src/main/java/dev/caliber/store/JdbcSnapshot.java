package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
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

  /** So much of what a filter looks at is in memory at once; a single record may be larger. */
  private static final long SIFTED_BYTES_BOUND = 4L << 20;

  final Session session;
  final SpaceId space;
  final Catalogue catalogue;
  private final StoreConfig.Reads limits;
  private boolean ended;

  JdbcSnapshot(Session session, SpaceId space, Catalogue catalogue, StoreConfig.Reads limits) {
    this.session = session;
    this.space = space;
    this.catalogue = catalogue;
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
      throw failed("Reading the head", e);
    }
  }

  @Override
  public <T> Optional<Row<T>> row(Table<T> table, Object key) {
    requireOpen();
    TableRuntime<T> runtime = catalogue.of(table);
    return body(runtime, key.toString())
        .map(body -> new Row<>(runtime.codec().decode(body), body.revision()));
  }

  final <T> Optional<StoredBody> body(TableRuntime<T> runtime, String key) {
    if (!ColumnType.isText(key)) {
      return Optional.empty();
    }
    touching(runtime);
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
      throw failed("Reading a " + runtime.table().name(), e);
    }
  }

  @Override
  public <T> Map<String, T> findAll(Table<T> table, Collection<?> keys) {
    requireOpen();
    TableRuntime<T> runtime = catalogue.of(table);
    Map<String, T> found = new LinkedHashMap<>();
    bodies(runtime, keys.stream().map(Object::toString).toList())
        .forEach((key, body) -> found.put(key, runtime.codec().decode(body)));
    return found;
  }

  /** The rows with these keys, in their order. */
  final <T> Map<String, StoredBody> bodies(TableRuntime<T> runtime, Collection<String> keys) {
    Set<String> wanted = new LinkedHashSet<>(keys);
    wanted.removeIf(key -> !ColumnType.isText(key));
    Map<String, StoredBody> read = new HashMap<>();
    touching(runtime);
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
      throw failed("Reading records of " + runtime.table().name(), e);
    }
    Map<String, StoredBody> found = new LinkedHashMap<>();
    wanted.forEach(key -> Optional.ofNullable(read.remove(key)).ifPresent(b -> found.put(key, b)));
    requireNone(runtime.table(), read.keySet());
    return found;
  }

  /** A damaged index entry can lead to a row that is whole, but another one. */
  private void requireNone(Table<?> table, Set<String> others) {
    if (!others.isEmpty()) {
      throw StoreException.corrupt(
          "The index of %s in space '%s' leads to '%s', which was not asked for"
              .formatted(table.name(), space.value(), others.iterator().next()));
    }
  }

  @Override
  public <T> Page<T> scan(Query<T> query, int limit) {
    requireOpen();
    if (limit < 1 || limit > limits.pageLimit()) {
      throw new IllegalArgumentException(
          "A page holds 1 to %d rows (store.reads.page-limit), not %d"
              .formatted(limits.pageLimit(), limit));
    }
    if (query.filter().isPresent()) {
      return filteredPage(query, limit);
    }
    TableRuntime<T> runtime = catalogue.of(query.table());
    Fetched fetched = fetch(query, limit, limit + 1, Long.MAX_VALUE);
    List<Row<T>> rows = fetched.bodies.stream().map(body -> decoded(runtime, body)).toList();
    return new Page<>(
        rows,
        fetched.more
            ? Optional.of(PageCursor.of(query, rows.getLast().record()))
            : Optional.empty());
  }

  @Override
  public <T> Optional<T> first(Query<T> query) {
    requireOpen();
    return query.filter().isPresent()
        ? firstPassing(query)
        : fetch(query, 1, 1, Long.MAX_VALUE).bodies.stream()
            .map(body -> catalogue.of(query.table()).codec().decode(body))
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
      throw new IllegalArgumentException("Only a query without filter and cursor can be counted");
    }
    TableRuntime<T> runtime = catalogue.of(query.table());
    touching(runtime);
    try {
      PreparedStatement statement = session.statement(runtime.sql().count(query.shape()));
      bindQuery(statement, query);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    } catch (SQLException e) {
      throw failed("Counting " + query.table().name(), e);
    }
  }

  /**
   * Reads on until the page is full, the rows end, or the scan limit is reached. It begins with as
   * many rows as are wanted, because most filters let most rows pass.
   */
  private <T> Page<T> filteredPage(Query<T> query, int limit) {
    Sieve<T> sieve = new Sieve<>(query.filter().orElseThrow(), limit);
    Query<T> rest = query;
    for (int wanted = limit; ; wanted = Math.min(limits.pageLimit(), 2 * wanted)) {
      int chunk = Math.min(wanted, limits.scanLimit() - sieve.examined);
      Fetched fetched = fetch(rest, chunk, chunk + 1, SIFTED_BYTES_BOUND);
      boolean more = sift(fetched, catalogue.of(query.table()), sieve);
      if (!more) {
        return new Page<>(sieve.passed, Optional.empty());
      }
      PageCursor place = PageCursor.of(query, Objects.requireNonNull(sieve.last));
      if (sieve.isFull() || sieve.examined >= limits.scanLimit()) {
        return new Page<>(sieve.passed, Optional.of(place));
      }
      rest = query.resume(place);
    }
  }

  /** Decodes no more rows than are wanted; returns whether there are others behind them. */
  private static <T> boolean sift(Fetched fetched, TableRuntime<T> runtime, Sieve<T> sieve) {
    for (StoredBody body : fetched.bodies) {
      if (sieve.isFull()) {
        return true;
      }
      sieve.take(decoded(runtime, body));
    }
    return fetched.more;
  }

  /** Lets rows pass until there are enough. */
  private static final class Sieve<T> {
    private final Predicate<T> filter;
    private final int limit;
    private final List<Row<T>> passed = new ArrayList<>();
    private int examined;
    private @Nullable T last;

    Sieve(Predicate<T> filter, int limit) {
      this.filter = filter;
      this.limit = limit;
    }

    void take(Row<T> row) {
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
   * Rows of a scan, and whether there is at least one behind them. Who looks at them may ask the
   * same again, so that no statement is open by then.
   */
  private record Fetched(List<StoredBody> bodies, boolean more) {}

  private static <T> Row<T> decoded(TableRuntime<T> runtime, StoredBody body) {
    return new Row<>(runtime.codec().decode(body), body.revision());
  }

  /** Steps to {@code stepped} rows, and reads those within the limit, or fewer of many bytes. */
  private <T> Fetched fetch(Query<T> query, int limit, int stepped, long bytes) {
    TableRuntime<T> runtime = catalogue.of(query.table());
    touching(runtime);
    try {
      PreparedStatement statement = session.statement(runtime.sql().scan(query.shape()));
      int position = bindQuery(statement, query);
      statement.setInt(position, stepped);
      try (ResultSet rows = statement.executeQuery()) {
        List<StoredBody> fetched = new ArrayList<>();
        long left = bytes;
        while (rows.next()) {
          if (fetched.size() == limit || left <= 0) {
            return new Fetched(fetched, true);
          }
          StoredBody body = readBody(runtime.table(), rows);
          fetched.add(body);
          left -= body.size();
        }
        return new Fetched(fetched, false);
      }
    } catch (SQLException e) {
      throw failed("Scanning " + query.table().name(), e);
    }
  }

  /** Binds space, fixed columns, range and cursor; returns the next free position. */
  private <T> int bindQuery(PreparedStatement statement, Query<T> query) throws SQLException {
    Dialect dialect = session.dialect();
    int position = 1;
    statement.setString(position++, space.value());
    List<String> indexed = query.shape().index().map(Index::columns).orElse(List.of());
    for (int i = 0; i < query.equalValues().size(); i++) {
      ColumnType type = query.table().column(indexed.get(i)).type();
      dialect.bind(statement, position++, type, query.equalValues().get(i));
    }
    if (query.lower().isPresent()) {
      dialect.bind(statement, position++, query.rangeType(), query.lower().get());
    }
    if (query.upper().isPresent()) {
      dialect.bind(statement, position++, query.rangeType(), query.upper().get());
    }
    if (query.cursor().isPresent()) {
      PageCursor.Place place = query.cursor().get().place(query);
      List<Column<T>> order = query.orderColumns();
      for (int i = 0; i < order.size(); i++) {
        dialect.bind(statement, position++, order.get(i).type(), place.values().get(i));
      }
      statement.setString(position++, place.key());
    }
    return position;
  }

  /** A damaged index entry can lead to a row that is whole, but another one. */
  private void requireKey(Table<?> table, String wanted, ResultSet rows) throws SQLException {
    String found = rows.getString(KEY);
    if (!wanted.equals(found)) {
      throw StoreException.corrupt(
          "The index of %s in space '%s' leads from '%s' to '%s'"
              .formatted(table.name(), space.value(), wanted, found));
    }
  }

  /** Takes the body out of a result row and holds it to its checksum. */
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
          "A %s in space '%s' has lost its key or body".formatted(table.name(), space.value()));
    }
    StoredBody body = new StoredBody(rows.getLong(REVISION), rows.getInt(SCHEMA), json, binaries);
    if (session.checksum().of(space.value(), key, body, table.binaries()) != rows.getLong(CRC)) {
      throw StoreException.corrupt(
          "The %s '%s' in space '%s' does not match its checksum"
              .formatted(table.name(), new String(key, StandardCharsets.UTF_8), space.value()));
    }
    return body;
  }

  /** Records of this table are about to be read or written. */
  void touching(TableRuntime<?> table) {
    // Everything that was written is there.
  }

  /** A statement has failed. What it was doing is said for the message. */
  StoreException failed(String doing, SQLException e) {
    return session.dialect().translate(doing, e);
  }

  /** From here on this view must not be used: its session goes to somebody else. */
  final void end() {
    ended = true;
  }

  final void requireOpen() {
    if (ended) {
      throw new IllegalStateException("This snapshot or transaction has ended");
    }
  }
}
