package dev.caliber.store.jdbc.sql;

import dev.caliber.store.ColumnType;
import dev.caliber.store.Table;
import dev.caliber.store.TableIndex;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Creator of the tables and indexes that {@link StoreFormatV1} describes. */
public final class TableCreator {

  private final DatabaseSession databaseSession;
  private final Dialect dialect;

  public TableCreator(DatabaseSession databaseSession) {
    this.databaseSession = databaseSession;
    this.dialect = databaseSession.dialect();
  }

  /** Creates those of the store's own tables that are missing. */
  public void createSystemTables() throws SQLException {
    String text = dialect.textType();
    String number = dialect.longType();
    String instant = dialect.columnType(ColumnType.INSTANT);
    createSystemTable(
        StoreFormatV1.META, "name %1$s NOT NULL, value %1$s NOT NULL".formatted(text), "name");
    createSystemTable(
        StoreFormatV1.TABLES,
        "name %1$s NOT NULL, description %1$s NOT NULL, schema %2$s NOT NULL, columns %1$s NOT NULL"
            .formatted(text, number),
        "name");
    createSystemTable(
        StoreFormatV1.SPACES,
        """
        name %1$s NOT NULL, epoch %2$s NOT NULL, sequence %2$s NOT NULL,
        host_counter %2$s NOT NULL, created_at %3$s NOT NULL"""
            .formatted(text, number, instant),
        "name");
    createSystemTable(
        StoreFormatV1.FEED,
        """
        space %1$s NOT NULL, sequence %2$s NOT NULL, host %1$s NOT NULL,
        host_counter %2$s NOT NULL, "time" %3$s NOT NULL, changes %1$s NOT NULL"""
            .formatted(text, number, instant),
        "space, sequence");
    createSystemTable(
        StoreFormatV1.FOLLOWERS,
        """
        space %1$s NOT NULL, name %1$s NOT NULL, epoch %2$s NOT NULL, sequence %2$s NOT NULL,
        updated_at %3$s NOT NULL"""
            .formatted(text, number, instant),
        "space, name");
  }

  private void createSystemTable(String table, String columns, String key) throws SQLException {
    databaseSession.executeOnce(
        "CREATE TABLE IF NOT EXISTS %s (%s, PRIMARY KEY (%s))%s"
            .formatted(table, columns, key, dialect.clusteredSuffix()));
  }

  /** Creates a table for records, with the index over its key. */
  public void createTable(String table, Map<String, String> declaredColumns) throws SQLException {
    List<String> columns = new ArrayList<>();
    columns.add("\"space\" %1$s NOT NULL, \"key\" %1$s NOT NULL".formatted(dialect.textType()));
    columns.add(
        "\"revision\" %1$s NOT NULL, \"schema\" %1$s NOT NULL, \"crc\" %1$s NOT NULL"
            .formatted(dialect.longType()));
    columns.add("\"body\" %s NOT NULL".formatted(dialect.textType()));
    for (Map.Entry<String, String> column : declaredColumns.entrySet()) {
      columns.add(TableSql.quote(column.getKey()) + " " + sqlType(column.getValue()));
    }
    databaseSession.executeOnce(
        "CREATE TABLE %s (%s)%s"
            .formatted(TableSql.quote(table), String.join(", ", columns), dialect.tableSuffix()));
    databaseSession.executeOnce(
        "CREATE UNIQUE INDEX %s ON %s (\"space\", \"key\")"
            .formatted(TableSql.quote(TableSql.keyIndex(table)), TableSql.quote(table)));
  }

  public void addColumn(String table, String column, String type) throws SQLException {
    databaseSession.executeOnce(
        "ALTER TABLE %s ADD COLUMN %s %s"
            .formatted(TableSql.quote(table), TableSql.quote(column), sqlType(type)));
  }

  public void createIndex(Table<?> table, TableIndex tableIndex) throws SQLException {
    String columns =
        tableIndex.columns().stream().map(TableSql::quote).collect(Collectors.joining(", "));
    databaseSession.executeOnce(
        "CREATE %sINDEX %s ON %s (\"space\", %s%s) WHERE %s"
            .formatted(
                tableIndex.unique() ? "UNIQUE " : "",
                TableSql.quote(tableIndex.name()),
                TableSql.quote(table.name()),
                columns,
                tableIndex.unique() ? "" : ", \"key\"",
                TableSql.indexedCondition(tableIndex)));
  }

  private String sqlType(String declared) {
    return declared.equals(RegisteredTable.BINARY)
        ? dialect.binaryType()
        : dialect.columnType(ColumnType.valueOf(declared));
  }
}
