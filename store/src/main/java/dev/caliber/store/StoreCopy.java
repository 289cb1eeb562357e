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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Copies a PostgreSQL store row by row into a fresh SQLite file: its own tables and all that are
 * registered, also those that this process has not declared.
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
      copy(table.name(), rowColumns(table), "\"space\", \"key\"", total);
    }
    for (TableRuntime<?> runtime : catalogue.all()) {
      for (Index index : runtime.table().indexes()) {
        maker.makeIndex(runtime.table(), index);
      }
    }
    DebugViews.create(target);
  }

  private void copyOwn() throws SQLException {
    copy(StoreFormatV1.META, columns("name", TEXT, "value", TEXT), "name", -1);
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
        "name",
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
        "space, sequence",
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
        "space, name",
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

  private void copy(String table, Map<String, String> columns, String order, long total)
      throws SQLException {
    String names = columns.keySet().stream().map(TableSql::quote).collect(Collectors.joining(", "));
    List<String> types = new ArrayList<>(columns.values());
    PreparedStatement insert =
        target.statement(
            "INSERT INTO %s (%s) VALUES (%s)"
                .formatted(
                    TableSql.quote(table),
                    names,
                    Stream.generate(() -> "?")
                        .limit(types.size())
                        .collect(Collectors.joining(", "))));
    // The driver would fetch all rows at once: it pages only in transactions of its own making.
    // Each cursor has a name of its own, or a kept FETCH would expect another table's columns.
    String cursor = TableSql.quote("backup_" + table);
    source.executeOnce(
        "DECLARE %s NO SCROLL CURSOR FOR SELECT %s FROM %s ORDER BY %s"
            .formatted(cursor, names, TableSql.quote(table), order));
    try (PreparedStatement fetch =
        source
            .connection()
            .prepareStatement("FETCH FORWARD %d FROM %s".formatted(ROWS_AT_ONCE, cursor))) {
      while (copyPage(fetch, insert, types, total) == ROWS_AT_ONCE) {
        // one page after the other
      }
    }
    source.executeOnce("CLOSE " + cursor);
  }

  private int copyPage(
      PreparedStatement fetch, PreparedStatement insert, List<String> types, long total)
      throws SQLException {
    int page = 0;
    try (ResultSet rows = fetch.executeQuery()) {
      while (rows.next()) {
        for (int i = 0; i < types.size(); i++) {
          copyValue(rows, insert, i + 1, types.get(i));
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
