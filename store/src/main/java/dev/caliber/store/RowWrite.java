package dev.caliber.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Pending write of a row: its statement and the values to bind. */
record RowWrite(String key, String sql, RowValueBinding binding) {

  /** Binder of the row's values from a position on; returns the next free position. */
  interface RowValueBinding {
    int bind(PreparedStatement statement, int first) throws SQLException;
  }

  /**
   * Executes the statement and returns the number of rows changed: 0 if an insert found its key
   * taken.
   */
  int execute(DatabaseSession databaseSession) throws SQLException {
    PreparedStatement statement = databaseSession.statement(sql);
    binding.bind(statement, 1);
    return statement.executeUpdate();
  }
}
