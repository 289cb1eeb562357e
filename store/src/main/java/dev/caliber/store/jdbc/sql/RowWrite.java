package dev.caliber.store.jdbc.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Pending write of a row: its statement and the values to bind. */
public record RowWrite(String key, String sql, RowValueBinding binding) {

  /** Binder of the row's values from a position on; returns the next free position. */
  public interface RowValueBinding {
    int bind(PreparedStatement statement, int first) throws SQLException;
  }

  /**
   * Executes the statement and returns the number of rows changed: 0 if an insert found its key
   * taken.
   */
  public int execute(DatabaseSession databaseSession) throws SQLException {
    PreparedStatement statement = databaseSession.statement(sql);
    binding.bind(statement, 1);
    return statement.executeUpdate();
  }
}
