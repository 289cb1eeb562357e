package dev.caliber.store.jdbc;

import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.RowWrite;
import java.sql.BatchUpdateException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Batch of rows: consecutive rows with the same statement are sent in one step. Their order is
 * kept, since a row may free the value of a unique index that the next one takes.
 */
final class RowBatch {

  private final DatabaseSession databaseSession;
  private final List<RowWrite> rows = new ArrayList<>();

  RowBatch(DatabaseSession databaseSession) {
    this.databaseSession = databaseSession;
  }

  /**
   * Adds a row. If that sends earlier rows, returns the key of the first one that its statement did
   * not write.
   */
  Optional<String> add(RowWrite row) throws SQLException {
    boolean another = !rows.isEmpty() && !rows.getFirst().sql().equals(row.sql());
    Optional<String> refused = another ? flush() : Optional.empty();
    rows.add(row);
    return refused;
  }

  /** Sends the waiting rows; returns the key of the first one that its statement did not write. */
  Optional<String> flush() throws SQLException {
    List<RowWrite> sent = List.copyOf(rows);
    rows.clear();
    int[] counts = send(sent);
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == 0) {
        return Optional.of(sent.get(i).key());
      }
    }
    return Optional.empty();
  }

  /**
   * Sends a single row without a batch: PostgreSQL's driver parses a batch of one anew each time.
   */
  private int[] send(List<RowWrite> sent) throws SQLException {
    if (sent.isEmpty()) {
      return new int[0];
    }
    return sent.size() == 1
        ? new int[] {sent.getFirst().execute(databaseSession)}
        : sendTogether(databaseSession.statement(sent.getFirst().sql()), sent);
  }

  private static int[] sendTogether(PreparedStatement statement, List<RowWrite> sent)
      throws SQLException {
    try {
      for (RowWrite row : sent) {
        row.binding().bind(statement, 1);
        statement.addBatch();
      }
      return statement.executeBatch();
    } catch (BatchUpdateException e) {
      throw e.getNextException() == null ? e : e.getNextException();
    } finally {
      statement.clearBatch();
    }
  }
}
