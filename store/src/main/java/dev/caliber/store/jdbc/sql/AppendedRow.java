package dev.caliber.store.jdbc.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Row that is inserted without a prior check and fails its statement if its key is taken, so that
 * it can be sent later, together with others.
 */
public record AppendedRow(PreparedTable<?> table, long bytes, RowWrite.RowValueBinding binding) {

  /** Largest number of rows in one statement. Each number of rows has a statement of its own. */
  private static final int TOGETHER_BOUND = 16;

  public String sql() {
    return table.sql().appendStatement(1);
  }

  /**
   * Inserts the rows, those of one table in as few statements as possible. Their order is not kept.
   */
  public static void send(DatabaseSession databaseSession, List<AppendedRow> rows)
      throws SQLException {
    Map<PreparedTable<?>, List<AppendedRow>> tables =
        rows.stream()
            .collect(
                Collectors.groupingBy(AppendedRow::table, LinkedHashMap::new, Collectors.toList()));
    for (Map.Entry<PreparedTable<?>, List<AppendedRow>> table : tables.entrySet()) {
      List<AppendedRow> rest = table.getValue();
      while (!rest.isEmpty()) {
        int count = Math.min(rest.size(), TOGETHER_BOUND);
        sendTogether(
            databaseSession, table.getKey().sql().appendStatement(count), rest.subList(0, count));
        rest = rest.subList(count, rest.size());
      }
    }
  }

  private static void sendTogether(
      DatabaseSession databaseSession, String sql, List<AppendedRow> rows) throws SQLException {
    PreparedStatement statement = databaseSession.statement(sql);
    bind(statement, rows);
    statement.executeUpdate();
  }

  /** Binds the rows one after the other and returns the next free position. */
  public static int bind(PreparedStatement statement, List<AppendedRow> rows) throws SQLException {
    int position = 1;
    for (AppendedRow row : rows) {
      position = row.binding.bind(statement, position);
    }
    return position;
  }
}
