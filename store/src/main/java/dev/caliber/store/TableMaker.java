package dev.caliber.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes the tables and indexes that {@link StoreFormatV1} describes. */
final class TableMaker {

  private final Session session;
  private final Dialect dialect;

  TableMaker(Session session) {
    this.session = session;
    this.dialect = session.dialect();
  }

  /** The store's own tables, as far as they are missing. */
  void makeOwn() throws SQLException {
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

  /** A table for records, with the index over its key. */
  void make(String table, Map<String, String> declaredColumns) throws SQLException {
    List<String> columns = new ArrayList<>();
    columns.add("\"space\" %1$s NOT NULL, \"key\" %1$s NOT NULL".formatted(dialect.textType()));
    columns.add(
        "\"revision\" %1$s NOT NULL, \"schema\" %1$s NOT NULL, \"crc\" %1$s NOT NULL"
            .formatted(dialect.longType()));
    columns.add("\"body\" %s NOT NULL".formatted(dialect.textType()));
    for (Map.Entry<String, String> column : declaredColumns.entrySet()) {
      columns.add(TableSql.quote(column.getKey()) + " " + sqlType(column.getValue()));
    }
    session.executeOnce(
        "CREATE TABLE %s (%s)%s"
            .formatted(TableSql.quote(table), String.join(", ", columns), dialect.tableSuffix()));
    session.executeOnce(
        "CREATE UNIQUE INDEX %s ON %s (\"space\", \"key\")"
            .formatted(TableSql.quote(TableSql.keyIndex(table)), TableSql.quote(table)));
  }

  void addColumn(String table, String column, String type) throws SQLException {
    session.executeOnce(
        "ALTER TABLE %s ADD COLUMN %s %s"
            .formatted(TableSql.quote(table), TableSql.quote(column), sqlType(type)));
  }

  void makeIndex(Table<?> table, Index index) throws SQLException {
    String columns =
        index.columns().stream().map(TableSql::quote).collect(Collectors.joining(", "));
    session.executeOnce(
        "CREATE %sINDEX %s ON %s (\"space\", %s%s) WHERE %s"
            .formatted(
                index.unique() ? "UNIQUE " : "",
                TableSql.quote(index.name()),
                TableSql.quote(table.name()),
                columns,
                index.unique() ? "" : ", \"key\"",
                TableSql.present(index)));
  }

  private String sqlType(String declared) {
    return declared.equals(RegisteredTable.BINARY)
        ? dialect.binaryType()
        : dialect.columnType(ColumnType.valueOf(declared));
  }
}
