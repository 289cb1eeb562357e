package dev.caliber.store.jdbc.sqlite;

import dev.caliber.store.ColumnType;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.TableIndex;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.DebugViews;
import dev.caliber.store.jdbc.sql.DeclaredTables;
import dev.caliber.store.jdbc.sql.PreparedTable;
import dev.caliber.store.jdbc.sql.RegisteredTable;
import dev.caliber.store.jdbc.sql.StoreFormatV1;
import dev.caliber.store.jdbc.sql.TableCreator;
import dev.caliber.store.jdbc.sql.TableSql;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Copy of a store, row by row, into a new SQLite file: its own tables and all registered ones,
 * including those that this process has not declared.
 */
public final class StoreCopy {

  /* Number of rows held in memory at once. */
  private static final int ROWS_AT_ONCE = 200;

  private static final String TEXT = ColumnType.TEXT.name();
  private static final String NUMBER = ColumnType.INTEGER.name();
  private static final String INSTANT = ColumnType.INSTANT.name();

  private final DatabaseSession source;
  private final DatabaseSession target;
  private final ProgressListener progressListener;
  private long copied;

  private StoreCopy(
      DatabaseSession source, DatabaseSession target, ProgressListener progressListener) {
    this.source = source;
    this.target = target;
    this.progressListener = progressListener;
  }

  /** Copies one state of the source, which has no open transaction. */
  public static void write(
      DatabaseSession source,
      Path file,
      DeclaredTables declaredTables,
      ProgressListener progressListener)
      throws SQLException {
    source.beginReadOfAllSpaces();
    try (DatabaseSession target = SqliteFile.create(file)) {
      try {
        target.beginExclusiveWrite();
        new StoreCopy(source, target, progressListener).copyAll(declaredTables);
        target.commit();
      } catch (SQLException e) {
        throw attributeFailure(source, target, e);
      }
    } catch (Throwable e) {
      try {
        source.rollback();
      } catch (SQLException later) {
        e.addSuppressed(later);
      }
      throw e;
    }
    source.commit();
  }

  /** Attributes a failure to one side; a SQLite exception of the target can only be the file's. */
  private static RuntimeException attributeFailure(
      DatabaseSession source, DatabaseSession target, SQLException e) {
    DatabaseSession failed = e instanceof org.sqlite.SQLiteException ? target : source;
    return failed.dialect().translate("The backup", e);
  }

  private void copyAll(DeclaredTables declaredTables) throws SQLException {
    List<RegisteredTable> tables = RegisteredTable.readAll(source);
    TableCreator maker = new TableCreator(target);
    maker.createSystemTables();
    copySystemTables();
    for (RegisteredTable table : tables) {
      maker.createTable(table.name(), table.columns());
      table.put(target);
    }
    long total = 0;
    for (RegisteredTable table : tables) {
      total += table.count(source);
    }
    for (RegisteredTable table : tables) {
      copyTable(table.name(), rowColumns(table), 2, total);
    }
    for (PreparedTable<?> runtime : declaredTables.all()) {
      for (TableIndex tableIndex : runtime.table().indexes()) {
        maker.createIndex(runtime.table(), tableIndex);
      }
    }
    DebugViews.create(target);
  }

  private void copySystemTables() throws SQLException {
    copyTable(StoreFormatV1.META, columns("name", TEXT, "value", TEXT), 1, -1);
    copyTable(
        StoreFormatV1.SPACES,
        columns(
            "name",
            TEXT,
            "epoch",
            NUMBER,
            "sequence",
            NUMBER,
            "host_counter",
            NUMBER,
            "created_at",
            INSTANT),
        1,
        -1);
    copyTable(
        StoreFormatV1.FEED,
        columns(
            "space",
            TEXT,
            "sequence",
            NUMBER,
            "host",
            TEXT,
            "host_counter",
            NUMBER,
            "time",
            INSTANT,
            "changes",
            TEXT),
        2,
        -1);
    copyTable(
        StoreFormatV1.FOLLOWERS,
        columns(
            "space",
            TEXT,
            "name",
            TEXT,
            "epoch",
            NUMBER,
            "sequence",
            NUMBER,
            "updated_at",
            INSTANT),
        2,
        -1);
    copied = 0;
  }

  private static Map<String, String> columns(String... namesAndTypes) {
    Map<String, String> columns = new LinkedHashMap<>();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      columns.put(namesAndTypes[i], namesAndTypes[i + 1]);
    }
    return columns;
  }

  private static Map<String, String> rowColumns(RegisteredTable table) {
    Map<String, String> columns =
        columns(
            "space",
            TEXT,
            "key",
            TEXT,
            "revision",
            NUMBER,
            "schema",
            NUMBER,
            "crc",
            NUMBER,
            "body",
            TEXT);
    columns.putAll(table.columns());
    return columns;
  }

  /**
   * Copies a table page by page along the primary key, which is its first columns: in the mode in
   * which the PostgreSQL driver is used, it would fetch the whole result at once.
   */
  private void copyTable(String table, Map<String, String> columns, int keys, long total)
      throws SQLException {
    String names = names(columns, columns.size());
    List<String> types = new ArrayList<>(columns.values());
    PreparedStatement insert =
        target.statement(
            "INSERT INTO %s (%s) VALUES (%s)"
                .formatted(TableSql.quote(table), names, placeholders(types.size())));
    String key = names(columns, keys);
    PreparedStatement select =
        source.statement(
            "SELECT %s FROM %s WHERE (%s) > (%s) ORDER BY %s LIMIT %d"
                .formatted(
                    names, TableSql.quote(table), key, placeholders(keys), key, ROWS_AT_ONCE));
    List<Object> last = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      last.add(types.get(i).equals(TEXT) ? "" : (Object) 0L);
    }
    while (copyPage(select, insert, types, last, total) == ROWS_AT_ONCE) {
      // one page after the other
    }
  }

  private static String names(Map<String, String> columns, int first) {
    return columns.keySet().stream()
        .limit(first)
        .map(TableSql::quote)
        .collect(Collectors.joining(", "));
  }

  private static String placeholders(int count) {
    return Stream.generate(() -> "?").limit(count).collect(Collectors.joining(", "));
  }

  /** Copies the rows after the last key and advances it; returns the number of rows. */
  private int copyPage(
      PreparedStatement select,
      PreparedStatement insert,
      List<String> types,
      List<Object> last,
      long total)
      throws SQLException {
    for (int i = 0; i < last.size(); i++) {
      source.dialect().bind(select, i + 1, ColumnType.valueOf(types.get(i)), last.get(i));
    }
    int page = 0;
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        for (int i = 0; i < types.size(); i++) {
          copyValue(rows, insert, i + 1, types.get(i));
        }
        for (int i = 0; i < last.size(); i++) {
          ColumnType type = ColumnType.valueOf(types.get(i));
          last.set(i, Objects.requireNonNull(source.dialect().read(rows, i + 1, type)));
        }
        insert.executeUpdate();
        progressListener.onProgress("backup", ++copied, total);
        page++;
      }
    }
    return page;
  }

  private void copyValue(ResultSet rows, PreparedStatement insert, int position, String type)
      throws SQLException {
    if (!type.equals(RegisteredTable.BINARY)) {
      ColumnType known = ColumnType.valueOf(type);
      target.dialect().bind(insert, position, known, source.dialect().read(rows, position, known));
      return;
    }
    byte[] bytes = rows.getBytes(position);
    if (bytes == null) {
      insert.setNull(position, Types.BINARY);
    } else {
      insert.setBytes(position, bytes);
    }
  }
}
