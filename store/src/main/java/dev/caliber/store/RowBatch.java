package dev.caliber.store;

import java.sql.BatchUpdateException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rows that travel together: those that follow each other with the same statement are sent in one
 * step. The order stays, since a row may free the value of a unique index that the next one takes.
 */
final class RowBatch implements AutoCloseable {

  private final List<String> keys = new ArrayList<>();
  private @Nullable PreparedStatement statement;

  /** Adds a row to the statement that it is bound to; answers a key that was there, if any. */
  Optional<String> add(PreparedStatement bound, String key) throws SQLException {
    Optional<String> refused = bound.equals(statement) ? Optional.empty() : flush();
    bound.addBatch();
    statement = bound;
    keys.add(key);
    return refused;
  }

  /** Sends what waits; answers the first row that its statement left alone, if any. */
  Optional<String> flush() throws SQLException {
    PreparedStatement waiting = statement;
    if (waiting == null) {
      return Optional.empty();
    }
    try {
      int[] counts = waiting.executeBatch();
      for (int i = 0; i < counts.length; i++) {
        if (counts[i] == 0) {
          return Optional.of(keys.get(i));
        }
      }
      return Optional.empty();
    } catch (BatchUpdateException e) {
      throw e.getNextException() == null ? e : e.getNextException();
    } finally {
      statement = null;
      keys.clear();
    }
  }

  /** Forgets what waits: the statement is somebody else's next. */
  @Override
  public void close() throws SQLException {
    if (statement != null) {
      statement.clearBatch();
      statement = null;
    }
  }
}
