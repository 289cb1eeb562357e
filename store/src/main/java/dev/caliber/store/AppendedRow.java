package dev.caliber.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A row that fails its statement if its place is taken, so that it can wait for others. */
record AppendedRow(TableRuntime<?> table, long bytes, RowWrite.Binding binding) {

  /** As many rows as one statement may have. Each number has a statement of its own. */
  private static final int TOGETHER_BOUND = 16;

  String sql() {
    return table.sql().append(1);
  }

  /** Sends rows in any order: those of a table in few statements, of which there are few. */
  static void send(Session session, List<AppendedRow> rows) throws SQLException {
    Map<TableRuntime<?>, List<AppendedRow>> tables =
        rows.stream()
            .collect(
                Collectors.groupingBy(AppendedRow::table, LinkedHashMap::new, Collectors.toList()));
    for (Map.Entry<TableRuntime<?>, List<AppendedRow>> table : tables.entrySet()) {
      List<AppendedRow> rest = table.getValue();
      while (!rest.isEmpty()) {
        int count = Math.min(rest.size(), TOGETHER_BOUND);
        sendTogether(session, table.getKey().sql().append(count), rest.subList(0, count));
        rest = rest.subList(count, rest.size());
      }
    }
  }

  private static void sendTogether(Session session, String sql, List<AppendedRow> rows)
      throws SQLException {
    PreparedStatement statement = session.statement(sql);
    bind(statement, rows);
    statement.executeUpdate();
  }

  /** Binds rows one after the other; answers the position after them. */
  static int bind(PreparedStatement statement, List<AppendedRow> rows) throws SQLException {
    int position = 1;
    for (AppendedRow row : rows) {
      position = row.binding.to(statement, position);
    }
    return position;
  }
}
