package dev.caliber.store.jdbc;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import dev.caliber.store.TableIndex;
import dev.caliber.store.jdbc.sql.DatabaseRole;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.DebugViews;
import dev.caliber.store.jdbc.sql.DeclaredTables;
import dev.caliber.store.jdbc.sql.Dialect;
import dev.caliber.store.jdbc.sql.Engine;
import dev.caliber.store.jdbc.sql.PreparedTable;
import dev.caliber.store.jdbc.sql.ReaderSessionPool;
import dev.caliber.store.jdbc.sql.RegisteredTable;
import dev.caliber.store.jdbc.sql.StoreFormatV1;
import dev.caliber.store.jdbc.sql.TableCreator;
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
 * Layout of a store's tables as declared, made in one transaction: creates what is missing, fills
 * new columns from the bodies, and refuses a store of a newer version. A second run changes
 * nothing.
 */
public final class SchemaLayout {

  private final DatabaseSession databaseSession;
  private final Dialect dialect;
  private final Engine engine;
  private final TableCreator tables;
  private final Set<String> existingIndexes = new HashSet<>();

  private SchemaLayout(DatabaseSession databaseSession, Engine engine) {
    this.databaseSession = databaseSession;
    this.dialect = engine.dialect();
    this.engine = engine;
    this.tables = new TableCreator(databaseSession);
  }

  /** Lays the tables out and returns the store's host id. */
  public static Id apply(
      Engine engine, DeclaredTables declaredTables, Clock clock, IdGenerator idGenerator) {
    DatabaseSession keeper = engine.open(DatabaseRole.OWNER);
    try {
      keeper.beginWrite(SpaceId.DEFAULT);
      try {
        engine.lockSchema(keeper);
        Id host = new SchemaLayout(keeper, engine).apply(declaredTables, clock, idGenerator);
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
        ReaderSessionPool.closeQuietly(keeper);
      }
    }
  }

  private static void rollback(DatabaseSession keeper, Throwable first) {
    try {
      keeper.rollback();
    } catch (SQLException e) {
      first.addSuppressed(e);
    }
  }

  private Id apply(DeclaredTables declaredTables, Clock clock, IdGenerator idGenerator)
      throws SQLException {
    tables.createSystemTables();
    Id host = checkMeta(clock, idGenerator);
    Set<String> names = new LinkedHashSet<>(StoreFormatV1.OWN_TABLES);
    try (ResultSet rows = databaseSession.statement(dialect.indexNamesQuery()).executeQuery()) {
      while (rows.next()) {
        existingIndexes.add(rows.getString(1));
      }
    }
    for (PreparedTable<?> runtime : declaredTables.all()) {
      createOrExtend(runtime);
      names.add(runtime.table().name());
    }
    DebugViews.create(databaseSession);
    for (PreparedTable<?> runtime : declaredTables.all()) {
      DebugViews.create(databaseSession, runtime.table());
    }
    engine.protectTables(databaseSession, names);
    return host;
  }

  private Id checkMeta(Clock clock, IdGenerator idGenerator) throws SQLException {
    Optional<String> format = meta("format");
    if (format.isEmpty()) {
      putMeta("format", Integer.toString(StoreFormatV1.VERSION));
      putMeta("host", idGenerator.next().toString());
      putMeta("created_at", Timestamps.format(clock.instant()));
    } else {
      checkFormat(format.get());
    }
    return meta("host")
        .map(Id::parse)
        .orElseThrow(
            () -> StoreException.unreadable(engine.location(), "the store has no host id"));
  }

  private void checkFormat(String format) {
    long found;
    try {
      found = Long.parseLong(format);
    } catch (NumberFormatException _) {
      throw StoreException.unreadable(
          engine.location(),
          "the format of the store should be a number, but is '%s'".formatted(format));
    }
    if (found > StoreFormatV1.VERSION) {
      throw StoreException.tooNew(engine.location(), "its format", found, StoreFormatV1.VERSION);
    }
    if (found < StoreFormatV1.OLDEST_VERSION) {
      throw StoreException.tooOld(engine.location(), found, StoreFormatV1.OLDEST_VERSION);
    }
  }

  private Optional<String> meta(String name) throws SQLException {
    PreparedStatement statement =
        databaseSession.statement("SELECT value FROM store_meta WHERE name = ?");
    statement.setString(1, name);
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
    }
  }

  private void putMeta(String name, String value) throws SQLException {
    PreparedStatement statement =
        databaseSession.statement("INSERT INTO store_meta (name, value) VALUES (?, ?)");
    statement.setString(1, name);
    statement.setString(2, value);
    statement.executeUpdate();
  }

  private <T> void createOrExtend(PreparedTable<T> runtime) throws SQLException {
    Table<T> table = runtime.table();
    RegisteredTable declared = RegisteredTable.of(table);
    Optional<RegisteredTable> registered = RegisteredTable.find(databaseSession, table.name());
    if (registered.isEmpty()) {
      tables.createTable(table.name(), declared.columns());
    } else {
      addMissingColumns(runtime, registered.get(), declared.columns());
    }
    for (TableIndex tableIndex : table.indexes()) {
      if (!existingIndexes.contains(tableIndex.name())) {
        tables.createIndex(table, tableIndex);
      }
    }
    if (!registered.equals(Optional.of(declared))) {
      declared.put(databaseSession);
      Optional<String> description = dialect.tableComment(table.name(), table.description());
      if (description.isPresent()) {
        databaseSession.executeOnce(description.get());
      }
    }
  }

  /**
   * Refuses a table with a binary that is not declared here: this version would read its rows as
   * damaged.
   */
  private void requireBinaries(
      Table<?> table, RegisteredTable registered, Map<String, String> declared) {
    registered
        .columns()
        .forEach(
            (column, type) -> {
              if (type.equals(RegisteredTable.BINARY) && !declared.containsKey(column)) {
                throw StoreException.tooNew(
                    engine.location(), "a binary of table '%s'".formatted(table.name()), column);
              }
            });
  }

  /**
   * Returns the columns that exist. One may exist without being registered: an older version, which
   * did not know it, has worked on the store and left it empty in its rows.
   */
  private Set<String> existingColumns(String table) throws SQLException {
    Set<String> columns = new HashSet<>();
    PreparedStatement statement = databaseSession.statement(dialect.columnNamesQuery());
    statement.setString(1, table);
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        columns.add(rows.getString(1));
      }
    }
    return columns;
  }

  private <T> void addMissingColumns(
      PreparedTable<T> runtime, RegisteredTable registered, Map<String, String> declared)
      throws SQLException {
    Table<T> table = runtime.table();
    if (registered.schema() > table.schema()) {
      throw StoreException.tooNew(
          engine.location(),
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
            "column '%s' has type %s, but is declared as %s"
                .formatted(column.getKey(), before, column.getValue()));
      }
    }
    if (incomplete) {
      new ColumnBackfill<>(databaseSession, runtime).run();
    }
  }
}
