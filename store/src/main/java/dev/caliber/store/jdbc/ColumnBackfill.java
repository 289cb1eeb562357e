package dev.caliber.store.jdbc;

import dev.caliber.store.Column;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.PreparedTable;
import dev.caliber.store.jdbc.sql.RowBinder;
import dev.caliber.store.jdbc.sql.RowScanner;
import dev.caliber.store.jdbc.sql.StoredRow;
import dev.caliber.store.jdbc.sql.TableSql;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.stream.Collectors;

/** Computes a table's columns anew from its bodies. */
final class ColumnBackfill<T> {

  private final DatabaseSession databaseSession;
  private final PreparedTable<T> runtime;

  ColumnBackfill(DatabaseSession databaseSession, PreparedTable<T> runtime) {
    this.databaseSession = databaseSession;
    this.runtime = runtime;
  }

  void run() throws SQLException {
    Table<T> table = runtime.table();
    if (table.columns().isEmpty()) {
      return;
    }
    String assignments =
        table.columns().stream()
            .map(column -> TableSql.quote(column.name()) + " = ?")
            .collect(Collectors.joining(", "));
    PreparedStatement update =
        databaseSession.statement(
            "UPDATE %s SET %s WHERE \"space\" = ? AND \"key\" = ?"
                .formatted(TableSql.quote(table.name()), assignments));
    new RowScanner(databaseSession).forEachRow(runtime, (row, _) -> fill(update, row));
  }

  private void fill(PreparedStatement update, StoredRow row) throws SQLException {
    Table<T> table = runtime.table();
    T record = runtime.codec().decode(row.body());
    int position = 1;
    for (Column<T> column : table.columns()) {
      Object value = RowBinder.columnValue(table, column, record);
      databaseSession.dialect().bind(update, position++, column.type(), value);
    }
    update.setString(position++, row.space());
    update.setString(position, row.key());
    update.executeUpdate();
  }
}
