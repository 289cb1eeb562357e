package dev.caliber.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A row on its way: the statement that writes it, and what is bound to it. */
record RowWrite(String key, String sql, Binding binding) {

  /** Binds the row's values from a position on, and answers the position after them. */
  interface Binding {
    int to(PreparedStatement statement, int first) throws SQLException;
  }

  /** How many rows it changed: none if an insert found its place taken. */
  int execute(Session session) throws SQLException {
    PreparedStatement statement = session.statement(sql);
    binding.to(statement, 1);
    return statement.executeUpdate();
  }
}
