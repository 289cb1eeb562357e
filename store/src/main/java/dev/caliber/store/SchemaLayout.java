package dev.caliber.store;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lays a store out as its declarations say, in one transaction: makes what is missing, fills new
 * columns from the bodies, and refuses what a newer version has written. Doing it twice changes
 * nothing.
 */
final class SchemaLayout {

  private final Session session;
  private final Dialect dialect;
  private final Engine engine;
  private final TableMaker tables;
  private final Set<String> existingIndexes = new HashSet<>();

  private SchemaLayout(Session session, Engine engine) {
    this.session = session;
    this.dialect = engine.dialect();
    this.engine = engine;
    this.tables = new TableMaker(session);
  }

  /** Returns the store's host id. */
  static Id apply(Engine engine, Catalogue catalogue, Clock clock, Ids ids) {
    Session keeper = engine.open(SessionRole.OWNER);
    try {
      keeper.beginWrite(SpaceId.DEFAULT);
      try {
        engine.lockSchema(keeper);
        Id host = new SchemaLayout(keeper, engine).apply(catalogue, clock, ids);
        keeper.commit();
        return host;
      } catch (Throwable e) {
        rollback(keeper, e);
        throw e;
      }
    } catch (SQLException e) {
      throw engine.dialect().translate("Laying out the store", e);
    } finally {
      if (!engine.sharesOneSession()) {
        Sessions.closeQuietly(keeper);
      }
    }
  }

  private static void rollback(Session keeper, Throwable first) {
    try {
      keeper.rollback();
    } catch (SQLException e) {
      first.addSuppressed(e);
    }
  }

  private Id apply(Catalogue catalogue, Clock clock, Ids ids) throws SQLException {
    tables.makeOwn();
    Id host = checkMeta(clock, ids);
    Set<String> names = new LinkedHashSet<>(StoreFormatV1.OWN_TABLES);
    try (ResultSet rows = session.statement(dialect.indexNames()).executeQuery()) {
      while (rows.next()) {
        existingIndexes.add(rows.getString(1));
      }
    }
    for (TableRuntime<?> runtime : catalogue.all()) {
      layOut(runtime);
      names.add(runtime.table().name());
    }
    DebugViews.create(session);
    for (TableRuntime<?> runtime : catalogue.all()) {
      DebugViews.create(session, runtime.table());
    }
    engine.secure(session, names);
    return host;
  }

  private Id checkMeta(Clock clock, Ids ids) throws SQLException {
    Optional<String> format = meta("format");
    if (format.isEmpty()) {
      putMeta("format", Integer.toString(StoreFormatV1.VERSION));
      putMeta("host", ids.next().toString());
      putMeta("created_at", Timestamps.format(clock.instant()));
    } else if (known(format.get()) < StoreFormatV1.VERSION) {
      raise();
    }
    return meta("host")
        .map(Id::parse)
        .orElseThrow(() -> StoreException.unreadable(engine.place(), "it has no host id"));
  }

  /** From now on older versions refuse the store. */
  private void raise() throws SQLException {
    PreparedStatement statement =
        session.statement("UPDATE store_meta SET value = ? WHERE name = 'format'");
    statement.setString(1, Integer.toString(StoreFormatV1.VERSION));
    statement.executeUpdate();
    engine.markVersion(session);
  }

  private long known(String format) {
    long found;
    try {
      found = Long.parseLong(format);
    } catch (NumberFormatException _) {
      throw StoreException.unreadable(
          engine.place(), "its format should be a number and is '%s'".formatted(format));
    }
    if (found > StoreFormatV1.VERSION) {
      throw StoreException.tooNew(engine.place(), "its format", found, StoreFormatV1.VERSION);
    }
    return found;
  }

  private Optional<String> meta(String name) throws SQLException {
    PreparedStatement statement = session.statement("SELECT value FROM store_meta WHERE name = ?");
    statement.setString(1, name);
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
    }
  }

  private void putMeta(String name, String value) throws SQLException {
    PreparedStatement statement =
        session.statement("INSERT INTO store_meta (name, value) VALUES (?, ?)");
    statement.setString(1, name);
    statement.setString(2, value);
    statement.executeUpdate();
  }

  private <T> void layOut(TableRuntime<T> runtime) throws SQLException {
    Table<T> table = runtime.table();
    RegisteredTable declared = RegisteredTable.of(table);
    Optional<RegisteredTable> registered = RegisteredTable.find(session, table.name());
    if (registered.isEmpty()) {
      tables.make(table.name(), declared.columns());
    } else {
      extend(runtime, registered.get(), declared.columns());
    }
    for (Index index : table.indexes()) {
      if (!existingIndexes.contains(index.name())) {
        tables.makeIndex(table, index);
      }
    }
    if (!registered.equals(Optional.of(declared))) {
      declared.put(session);
      Optional<String> description = dialect.describe(table.name(), table.description());
      if (description.isPresent()) {
        session.executeOnce(description.get());
      }
    }
  }

  /** A version that does not know a binary would read its rows as damaged. */
  private void requireBinaries(
      Table<?> table, RegisteredTable registered, Map<String, String> declared) {
    registered
        .columns()
        .forEach(
            (column, type) -> {
              if (type.equals(RegisteredTable.BINARY) && !declared.containsKey(column)) {
                throw StoreException.tooNew(
                    engine.place(), "a binary of table '%s'".formatted(table.name()), column);
              }
            });
  }

  /**
   * A column may be there without being registered: an older version was at work, which did not
   * know it, and left it empty in what it wrote.
   */
  private Set<String> existingColumns(String table) throws SQLException {
    Set<String> columns = new HashSet<>();
    PreparedStatement statement = session.statement(dialect.columnNames());
    statement.setString(1, table);
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        columns.add(rows.getString(1));
      }
    }
    return columns;
  }

  private <T> void extend(
      TableRuntime<T> runtime, RegisteredTable registered, Map<String, String> declared)
      throws SQLException {
    Table<T> table = runtime.table();
    if (registered.schema() > table.schema()) {
      throw StoreException.tooNew(
          engine.place(),
          "the schema of table '%s'".formatted(table.name()),
          registered.schema(),
          table.schema());
    }
    requireBinaries(table, registered, declared);
    boolean incomplete = registered.schema() < table.schema();
    for (Map.Entry<String, String> column : declared.entrySet()) {
      String before = registered.columns().get(column.getKey());
      if (before == null) {
        if (!existingColumns(table.name()).contains(column.getKey())) {
          tables.addColumn(table.name(), column.getKey(), column.getValue());
        }
        incomplete = true;
      } else if (!before.equals(column.getValue())) {
        throw StoreException.schemaMismatch(
            table.name(),
            "column '%s' holds %s, declared is %s"
                .formatted(column.getKey(), before, column.getValue()));
      }
    }
    if (incomplete) {
      new ColumnBackfill<>(session, runtime).run();
    }
  }
}
