package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import org.sqlite.core.CoreStatement;

/**
 * A SQLite connection. The driver stays in auto-commit mode: its own commit runs SQL text, which
 * would be compiled each time, so the transaction's statements are kept prepared here.
 */
final class SqliteSession extends Session {

  SqliteSession(Connection connection, Dialect dialect) {
    super(connection, dialect);
  }

  @Override
  void beginRead(SpaceId space) throws SQLException {
    execute("BEGIN");
  }

  @Override
  void beginWrite(SpaceId space) throws SQLException {
    execute("BEGIN IMMEDIATE");
  }

  @Override
  void beginSurvey() throws SQLException {
    execute("BEGIN");
  }

  @Override
  void beginAlone() throws SQLException {
    execute("BEGIN IMMEDIATE");
  }

  @Override
  void mark() throws SQLException {
    execute("SAVEPOINT one_write");
  }

  @Override
  void moveMark() throws SQLException {
    execute("RELEASE one_write");
    execute("SAVEPOINT one_write");
  }

  @Override
  void unmark() throws SQLException {
    execute("RELEASE one_write");
  }

  @Override
  void undoToMark() throws SQLException {
    execute("ROLLBACK TO one_write");
  }

  @Override
  void commit() throws SQLException {
    execute("COMMIT");
  }

  @Override
  void rollback() throws SQLException {
    execute("ROLLBACK");
  }

  @Override
  Optional<SpaceHead> lockHead(SpaceId space) throws SQLException {
    return head(space);
  }

  /** The driver finalises a statement that failed for want of disk, and never says so. */
  @Override
  boolean isSpent(PreparedStatement statement) {
    return statement instanceof CoreStatement core && core.pointer.isClosed();
  }

  @Override
  boolean isUsable() {
    return true;
  }
}
