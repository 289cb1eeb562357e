package dev.caliber.store;

import java.sql.BatchUpdateException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rows that travel together: those that follow each other with the same statement are sent in one
 * step. The order stays, since a row may free the value of a unique index that the next one takes.
 */
final class RowBatch {

  private final Session session;
  private final List<RowWrite> rows = new ArrayList<>();

  RowBatch(Session session) {
    this.session = session;
  }

  /** Adds a row; answers the key of one before it that its statement left alone, if any. */
  Optional<String> add(RowWrite row) throws SQLException {
    boolean another = !rows.isEmpty() && !rows.getFirst().sql().equals(row.sql());
    Optional<String> refused = another ? flush() : Optional.empty();
    rows.add(row);
    return refused;
  }

  /** Sends what waits; answers the key of the first row that its statement left alone, if any. */
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

  /** PostgreSQL's driver has a batch of one parsed each time, so that one goes by itself. */
  private int[] send(List<RowWrite> sent) throws SQLException {
    if (sent.isEmpty()) {
      return new int[0];
    }
    return sent.size() == 1
        ? new int[] {sent.getFirst().execute(session)}
        : sendTogether(session.statement(sent.getFirst().sql()), sent);
  }

  private static int[] sendTogether(PreparedStatement statement, List<RowWrite> sent)
      throws SQLException {
    try {
      for (RowWrite row : sent) {
        row.binding().to(statement, 1);
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
