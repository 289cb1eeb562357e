package dev.caliber.store.jdbc.sql;

import dev.caliber.kernel.Json;
import dev.caliber.store.Column;
import dev.caliber.store.ColumnType;
import dev.caliber.store.Table;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Table as registered in the store, declared in this process or not: each column's name with the
 * name of its {@link ColumnType}, or {@link #BINARY}.
 */
public record RegisteredTable(
    String name, String description, int schema, Map<String, String> columns) {

  public static final String BINARY = "BINARY";

  private static final String SELECT =
      "SELECT name, description, schema, columns FROM " + StoreFormatV1.TABLES;

  private static final String PUT =
      """
      INSERT INTO store_table (name, description, schema, columns) VALUES (?, ?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET description = excluded.description,
      schema = excluded.schema, columns = excluded.columns""";

  public static RegisteredTable of(Table<?> table) {
    Map<String, String> columns = new LinkedHashMap<>();
    table.binaries().forEach(binaryColumn -> columns.put(binaryColumn.name(), BINARY));
    for (Column<?> column : table.columns()) {
      columns.put(column.name(), column.type().name());
    }
    return new RegisteredTable(table.name(), table.description(), table.schema(), columns);
  }

  public static Optional<RegisteredTable> find(DatabaseSession databaseSession, String name)
      throws SQLException {
    PreparedStatement statement = databaseSession.statement(SELECT + " WHERE name = ?");
    statement.setString(1, name);
    return read(statement).stream().findFirst();
  }

  public static List<RegisteredTable> readAll(DatabaseSession databaseSession) throws SQLException {
    return read(databaseSession.statement(SELECT + " ORDER BY name"));
  }

  private static List<RegisteredTable> read(PreparedStatement statement) throws SQLException {
    List<RegisteredTable> tables = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        int position = 1;
        String name = rows.getString(position++);
        String description = rows.getString(position++);
        int schema = rows.getInt(position++);
        Map<String, String> columns = new LinkedHashMap<>();
        Json.read(rows.getString(position), ObjectNode.class)
            .properties()
            .forEach(entry -> columns.put(entry.getKey(), entry.getValue().asString()));
        tables.add(new RegisteredTable(name, description, schema, columns));
      }
    }
    return tables;
  }

  public void put(DatabaseSession databaseSession) throws SQLException {
    PreparedStatement statement = databaseSession.statement(PUT);
    int position = 1;
    statement.setString(position++, name);
    statement.setString(position++, description);
    statement.setInt(position++, schema);
    statement.setString(position, Json.text(columns));
    statement.executeUpdate();
  }

  /** Returns the number of its rows over all spaces. */
  public long count(DatabaseSession databaseSession) throws SQLException {
    PreparedStatement statement =
        databaseSession.statement("SELECT count(*) FROM " + TableSql.quote(name));
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
