package dev.caliber.store;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lays a store out as its declarations say, in one transaction: makes what is missing, fills new
 * columns from the bodies, and refuses what a newer version has written. Doing it twice changes
 * nothing.
 */
final class SchemaLayout {

  private static final String BINARY = "BINARY";

  private final Session session;
  private final Dialect dialect;
  private final Engine engine;
  private final Set<String> existingIndexes = new HashSet<>();

  private SchemaLayout(Session session, Engine engine) {
    this.session = session;
    this.dialect = engine.dialect();
    this.engine = engine;
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
    makeOwnTables();
    Id host = checkMeta(clock, ids);
    Set<String> tables =
        new LinkedHashSet<>(
            List.of(
                StoreFormatV1.META,
                StoreFormatV1.TABLES,
                StoreFormatV1.SPACES,
                StoreFormatV1.FEED,
                StoreFormatV1.FOLLOWERS));
    try (ResultSet rows = session.statement(dialect.indexNames()).executeQuery()) {
      while (rows.next()) {
        existingIndexes.add(rows.getString(1));
      }
    }
    for (TableRuntime<?> runtime : catalogue.all()) {
      layOut(runtime);
      tables.add(runtime.table().name());
    }
    DebugViews.create(session);
    engine.secure(session, tables);
    return host;
  }

  private void makeOwnTables() throws SQLException {
    String text = dialect.textType();
    String number = dialect.longType();
    String instant = dialect.columnType(ColumnType.INSTANT);
    makeOwn(StoreFormatV1.META, "name %1$s NOT NULL, value %1$s NOT NULL".formatted(text), "name");
    makeOwn(
        StoreFormatV1.TABLES,
        "name %1$s NOT NULL, description %1$s NOT NULL, schema %2$s NOT NULL, columns %1$s NOT NULL"
            .formatted(text, number),
        "name");
    makeOwn(
        StoreFormatV1.SPACES,
        """
        name %1$s NOT NULL, epoch %2$s NOT NULL, sequence %2$s NOT NULL,
        host_counter %2$s NOT NULL, created_at %3$s NOT NULL"""
            .formatted(text, number, instant),
        "name");
    makeOwn(
        StoreFormatV1.FEED,
        """
        space %1$s NOT NULL, sequence %2$s NOT NULL, host %1$s NOT NULL,
        host_counter %2$s NOT NULL, "time" %3$s NOT NULL, changes %1$s NOT NULL"""
            .formatted(text, number, instant),
        "space, sequence");
    makeOwn(
        StoreFormatV1.FOLLOWERS,
        """
        space %1$s NOT NULL, name %1$s NOT NULL, epoch %2$s NOT NULL, sequence %2$s NOT NULL,
        updated_at %3$s NOT NULL"""
            .formatted(text, number, instant),
        "space, name");
  }

  private void makeOwn(String table, String columns, String key) throws SQLException {
    session.executeOnce(
        "CREATE TABLE IF NOT EXISTS %s (%s, PRIMARY KEY (%s))%s"
            .formatted(table, columns, key, dialect.clusteredSuffix()));
  }

  private Id checkMeta(Clock clock, Ids ids) throws SQLException {
    Optional<String> format = meta("format");
    if (format.isEmpty()) {
      putMeta("format", Integer.toString(StoreFormatV1.VERSION));
      putMeta("host", ids.next().toString());
      putMeta("created_at", Timestamps.format(clock.instant()));
    } else {
      requireKnown(format.get());
    }
    return meta("host")
        .map(Id::parse)
        .orElseThrow(() -> StoreException.unreadable(engine.place(), "it has no host id"));
  }

  private void requireKnown(String format) {
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
    Registered declared =
        new Registered(table.description(), table.schema(), declaredColumns(table));
    Optional<Registered> registered = registered(table.name());
    if (registered.isEmpty()) {
      create(table);
    } else {
      extend(runtime, registered.get(), declared.columns);
    }
    for (Index index : table.indexes()) {
      if (!existingIndexes.contains(index.name())) {
        makeIndex(table, index);
      }
    }
    if (!registered.equals(Optional.of(declared))) {
      register(table, declared);
    }
  }

  private record Registered(String description, int schema, Map<String, String> columns) {}

  private Optional<Registered> registered(String table) throws SQLException {
    PreparedStatement statement =
        session.statement("SELECT schema, columns, description FROM store_table WHERE name = ?");
    statement.setString(1, table);
    try (ResultSet rows = statement.executeQuery()) {
      if (!rows.next()) {
        return Optional.empty();
      }
      Map<String, String> columns = new LinkedHashMap<>();
      Json.read(rows.getString(2), ObjectNode.class)
          .properties()
          .forEach(entry -> columns.put(entry.getKey(), entry.getValue().asString()));
      return Optional.of(new Registered(rows.getString(3), rows.getInt(1), columns));
    }
  }

  private void register(Table<?> table, Registered declared) throws SQLException {
    PreparedStatement statement =
        session.statement(
            """
            INSERT INTO store_table (name, description, schema, columns) VALUES (?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET description = excluded.description,
            schema = excluded.schema, columns = excluded.columns""");
    int position = 1;
    statement.setString(position++, table.name());
    statement.setString(position++, table.description());
    statement.setInt(position++, table.schema());
    statement.setString(position, Json.text(declared.columns));
    statement.executeUpdate();
    Optional<String> description = dialect.describe(table.name(), table.description());
    if (description.isPresent()) {
      session.executeOnce(description.get());
    }
  }

  private void create(Table<?> table) throws SQLException {
    List<String> columns = new ArrayList<>();
    columns.add("\"space\" %1$s NOT NULL, \"key\" %1$s NOT NULL".formatted(dialect.textType()));
    columns.add(
        "\"revision\" %1$s NOT NULL, \"schema\" %1$s NOT NULL, \"crc\" %1$s NOT NULL"
            .formatted(dialect.longType()));
    columns.add("\"body\" %s NOT NULL".formatted(dialect.textType()));
    for (Map.Entry<String, String> column : declaredColumns(table).entrySet()) {
      columns.add(TableSql.quote(column.getKey()) + " " + sqlType(column.getValue()));
    }
    session.executeOnce(
        "CREATE TABLE %s (%s)%s"
            .formatted(
                TableSql.quote(table.name()), String.join(", ", columns), dialect.tableSuffix()));
    session.executeOnce(
        "CREATE UNIQUE INDEX %s ON %s (\"space\", \"key\")"
            .formatted(TableSql.quote(TableSql.keyIndex(table)), TableSql.quote(table.name())));
  }

  private <T> void extend(
      TableRuntime<T> runtime, Registered registered, Map<String, String> declared)
      throws SQLException {
    Table<T> table = runtime.table();
    if (registered.schema > table.schema()) {
      throw StoreException.tooNew(
          engine.place(),
          "the schema of table '%s'".formatted(table.name()),
          registered.schema,
          table.schema());
    }
    boolean incomplete = registered.schema < table.schema();
    for (Map.Entry<String, String> column : declared.entrySet()) {
      String before = registered.columns.get(column.getKey());
      if (before == null) {
        session.executeOnce(
            "ALTER TABLE %s ADD COLUMN %s %s"
                .formatted(
                    TableSql.quote(table.name()),
                    TableSql.quote(column.getKey()),
                    sqlType(column.getValue())));
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

  private void makeIndex(Table<?> table, Index index) throws SQLException {
    String columns =
        index.columns().stream().map(TableSql::quote).collect(Collectors.joining(", "));
    String present =
        index.columns().stream()
            .map(column -> TableSql.quote(column) + " IS NOT NULL")
            .collect(Collectors.joining(" AND "));
    session.executeOnce(
        "CREATE %sINDEX %s ON %s (\"space\", %s%s) WHERE %s"
            .formatted(
                index.unique() ? "UNIQUE " : "",
                TableSql.quote(index.name()),
                TableSql.quote(table.name()),
                columns,
                index.unique() ? "" : ", \"key\"",
                present));
  }

  private static Map<String, String> declaredColumns(Table<?> table) {
    Map<String, String> columns = new LinkedHashMap<>();
    table.binaries().forEach(binary -> columns.put(binary.name(), BINARY));
    for (Column<?> column : table.columns()) {
      columns.put(column.name(), column.type().name());
    }
    return columns;
  }

  private String sqlType(String declared) {
    return declared.equals(BINARY)
        ? dialect.binaryType()
        : dialect.columnType(ColumnType.valueOf(declared));
  }
}
