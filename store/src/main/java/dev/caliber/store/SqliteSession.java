package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import org.sqlite.core.CoreStatement;

/**
 * SQLite connection. The driver stays in auto-commit mode: its own commit runs SQL text, which
 * would be compiled each time, so the transaction's statements are kept prepared here.
 */
final class SqliteSession extends DatabaseSession {

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
  void beginReadOfAllSpaces() throws SQLException {
    execute("BEGIN");
  }

  @Override
  void beginExclusiveWrite() throws SQLException {
    execute("BEGIN IMMEDIATE");
  }

  @Override
  void setSavepoint() throws SQLException {
    execute("SAVEPOINT one_write");
  }

  @Override
  void moveSavepoint() throws SQLException {
    execute("RELEASE one_write");
    execute("SAVEPOINT one_write");
  }

  @Override
  void releaseSavepoint() throws SQLException {
    execute("RELEASE one_write");
  }

  @Override
  void rollBackToSavepoint() throws SQLException {
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

  /**
   * Returns whether the driver has finalised the statement, as it silently does when the disk is
   * full.
   */
  @Override
  boolean isUnusable(PreparedStatement statement) {
    return statement instanceof CoreStatement core && core.pointer.isClosed();
  }

  @Override
  boolean isUsable() {
    return true;
  }
}
