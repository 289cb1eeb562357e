package dev.caliber.store;

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
 * Copies a store row by row into a fresh SQLite file: its own tables and all that are registered,
 * also those that this process has not declared.
 */
final class StoreCopy {

  /* As many rows as lie in memory at once. */
  private static final int ROWS_AT_ONCE = 200;

  private static final String TEXT = ColumnType.TEXT.name();
  private static final String NUMBER = ColumnType.INTEGER.name();
  private static final String INSTANT = ColumnType.INSTANT.name();

  private final Session source;
  private final Session target;
  private final Progress progress;
  private long copied;

  private StoreCopy(Session source, Session target, Progress progress) {
    this.source = source;
    this.target = target;
    this.progress = progress;
  }

  /** Copies one state of the source, which has no transaction under way. */
  static void write(Session source, Path file, Catalogue catalogue, Progress progress)
      throws SQLException {
    source.beginSurvey();
    try (Session target = SqliteFile.create(file)) {
      try {
        target.beginAlone();
        new StoreCopy(source, target, progress).run(catalogue);
        target.commit();
      } catch (SQLException e) {
        throw blame(source, target, e);
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

  /** Either side may have failed; a SQLite exception can only be the file's. */
  private static RuntimeException blame(Session source, Session target, SQLException e) {
    Session failed = e instanceof org.sqlite.SQLiteException ? target : source;
    return failed.dialect().translate("The backup", e);
  }

  private void run(Catalogue catalogue) throws SQLException {
    List<RegisteredTable> tables = RegisteredTable.all(source);
    TableMaker maker = new TableMaker(target);
    maker.makeOwn();
    copyOwn();
    for (RegisteredTable table : tables) {
      maker.make(table.name(), table.columns());
      table.put(target);
    }
    long total = 0;
    for (RegisteredTable table : tables) {
      total += table.count(source);
    }
    for (RegisteredTable table : tables) {
      copy(table.name(), rowColumns(table), 2, total);
    }
    for (TableRuntime<?> runtime : catalogue.all()) {
      for (Index index : runtime.table().indexes()) {
        maker.makeIndex(runtime.table(), index);
      }
    }
    DebugViews.create(target);
  }

  private void copyOwn() throws SQLException {
    copy(StoreFormatV1.META, columns("name", TEXT, "value", TEXT), 1, -1);
    copy(
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
    copy(
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
    copy(
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
   * Page by page along the primary key, which is the first columns: in the mode in which the
   * PostgreSQL driver is used, it would fetch all of a result at once.
   */
  private void copy(String table, Map<String, String> columns, int keys, long total)
      throws SQLException {
    String names = names(columns, columns.size());
    List<String> types = new ArrayList<>(columns.values());
    PreparedStatement insert =
        target.statement(
            "INSERT INTO %s (%s) VALUES (%s)"
                .formatted(TableSql.quote(table), names, places(types.size())));
    String key = names(columns, keys);
    PreparedStatement select =
        source.statement(
            "SELECT %s FROM %s WHERE (%s) > (%s) ORDER BY %s LIMIT %d"
                .formatted(names, TableSql.quote(table), key, places(keys), key, ROWS_AT_ONCE));
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

  private static String places(int count) {
    return Stream.generate(() -> "?").limit(count).collect(Collectors.joining(", "));
  }

  /** Copies what follows the last key, and moves it on; returns how many rows there were. */
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
        progress.at("backup", ++copied, total);
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
