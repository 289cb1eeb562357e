package dev.caliber.store.jdbc.postgres;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.jdbc.sql.AppendedRow;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.Dialect;
import dev.caliber.store.jdbc.sql.FeedSql;
import dev.caliber.store.jdbc.sql.SpaceHead;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * A PostgreSQL connection. The space is set for each transaction, and row-level security shows only
 * that space's rows. The driver stays in auto-commit mode: its own BEGIN is text that the server
 * parses each time, so the transaction's statements are kept prepared here.
 */
final class PostgresSession extends DatabaseSession {

  /** One round trip: the driver sends both statements together. */
  private static final String BEGIN_IN_SPACE = "BEGIN; SELECT set_config('caliber.space', ?, true)";

  private static final String LOCK_HEAD =
      """
      SELECT epoch, sequence, host_counter, pg_current_xact_id()::text
      FROM store_space WHERE name = ? FOR UPDATE""";

  /*
   * A commit that is alone in its group takes three round trips: this one, its record, and the last
   * one, which carries the appended rows. A failing statement makes the server skip the rest of its
   * round trip, the COMMIT included.
   */
  private static final String BEGIN_TURN = BEGIN_IN_SPACE + "; " + LOCK_HEAD;

  private static final String END_TURN = FeedSql.INSERT + "; " + ADVANCE + "; COMMIT";

  private static final int TRANSACTION_ID = 4;

  /**
   * Number of appended rows that are sent with the commit: a turn and its trace; a trace and a
   * notice.
   */
  private static final int ALONG_BOUND = 2;

  private String transactionId = "";
  private Optional<SpaceHead> head = Optional.empty();

  PostgresSession(Connection connection, Dialect dialect) {
    super(connection, dialect);
  }

  @Override
  public void beginRead(SpaceId space) throws SQLException {
    beginIn(space);
  }

  @Override
  public void beginWrite(SpaceId space) throws SQLException {
    beginIn(space);
  }

  @Override
  public void beginReadOfAllSpaces() throws SQLException {
    execute("BEGIN");
    executeOnce("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    executeOnce("SET LOCAL statement_timeout = 0");
  }

  /**
   * Begins an exclusive write by locking the table whose rows all writers lock first, in any
   * process.
   */
  @Override
  public void beginExclusiveWrite() throws SQLException {
    execute("BEGIN");
    executeOnce("LOCK TABLE store_space IN EXCLUSIVE MODE");
    executeOnce("SET LOCAL statement_timeout = 0");
  }

  private void beginIn(SpaceId space) throws SQLException {
    PreparedStatement statement = statement(BEGIN_IN_SPACE);
    statement.setString(1, space.value());
    statement.execute();
    markUsed();
  }

  @Override
  public void setSavepoint() throws SQLException {
    execute("SAVEPOINT one_write");
  }

  /** Moves the savepoint with two statements in one round trip. */
  @Override
  public void moveSavepoint() throws SQLException {
    execute("RELEASE SAVEPOINT one_write; SAVEPOINT one_write");
  }

  @Override
  public void releaseSavepoint() throws SQLException {
    execute("RELEASE SAVEPOINT one_write");
  }

  @Override
  public void rollBackToSavepoint() throws SQLException {
    execute("ROLLBACK TO SAVEPOINT one_write");
  }

  @Override
  public void commit() throws SQLException {
    execute("COMMIT");
  }

  @Override
  public void rollback() throws SQLException {
    execute("ROLLBACK");
  }

  /** Returns the head that was read and locked by {@link #beginGroup}; a lane is one space. */
  @Override
  public Optional<SpaceHead> lockHead(SpaceId space) {
    return head;
  }

  @Override
  public void beginGroup(SpaceId space) throws SQLException {
    PreparedStatement statement = statement(BEGIN_TURN);
    statement.setString(1, space.value());
    statement.setString(2, space.value());
    statement.execute();
    markUsed();
    statement.getMoreResults(); // skips the result of BEGIN
    statement.getMoreResults(); // skips the result of the setting
    readHeadFrom(statement);
  }

  private void readHeadFrom(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      head = readHead(rows);
      transactionId = head.isPresent() ? rows.getString(TRANSACTION_ID) : "";
    }
  }

  /**
   * Sends appended rows before the commit unless they are few; few rows are sent with it, and each
   * number of rows is a statement of its own.
   */
  @Override
  public void prepareCommit(Commit last, SpaceHead next, List<AppendedRow> appended)
      throws SQLException {
    if (appended.size() > ALONG_BOUND) {
      AppendedRow.send(this, appended);
    }
  }

  @Override
  public void commit(Commit last, SpaceHead next, List<AppendedRow> appended) throws SQLException {
    List<AppendedRow> along = appended.size() > ALONG_BOUND ? List.of() : appended;
    StringBuilder sql = new StringBuilder();
    along.forEach(row -> sql.append(row.sql()).append("; "));
    PreparedStatement statement = statement(sql.append(END_TURN).toString());
    int position = AppendedRow.bind(statement, along);
    bindAdvance(statement, FeedSql.bind(this, statement, position, last), last.space(), next);
    statement.execute();
  }

  /** Returns the id of the transaction begun last, so that its outcome can be asked for. */
  String transactionId() {
    return transactionId;
  }

  @Override
  public boolean isUsable() {
    try {
      return !connection().isClosed();
    } catch (SQLException _) {
      return false;
    }
  }
}
