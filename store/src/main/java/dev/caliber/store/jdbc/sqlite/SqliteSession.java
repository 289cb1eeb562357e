package dev.caliber.store.jdbc.sqlite;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.Dialect;
import dev.caliber.store.jdbc.sql.SpaceHead;
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
  public void beginRead(SpaceId space) throws SQLException {
    execute("BEGIN");
  }

  @Override
  public void beginWrite(SpaceId space) throws SQLException {
    execute("BEGIN IMMEDIATE");
  }

  @Override
  public void beginReadOfAllSpaces() throws SQLException {
    execute("BEGIN");
  }

  @Override
  public void beginExclusiveWrite() throws SQLException {
    execute("BEGIN IMMEDIATE");
  }

  @Override
  public void setSavepoint() throws SQLException {
    execute("SAVEPOINT one_write");
  }

  @Override
  public void moveSavepoint() throws SQLException {
    execute("RELEASE one_write");
    execute("SAVEPOINT one_write");
  }

  @Override
  public void releaseSavepoint() throws SQLException {
    execute("RELEASE one_write");
  }

  @Override
  public void rollBackToSavepoint() throws SQLException {
    execute("ROLLBACK TO one_write");
  }

  @Override
  public void commit() throws SQLException {
    execute("COMMIT");
  }

  @Override
  public void rollback() throws SQLException {
    execute("ROLLBACK");
  }

  @Override
  public Optional<SpaceHead> lockHead(SpaceId space) throws SQLException {
    return head(space);
  }

  /**
   * Returns whether the driver has finalised the statement, as it silently does when the disk is
   * full.
   */
  @Override
  public boolean isUnusable(PreparedStatement statement) {
    return statement instanceof CoreStatement core && core.pointer.isClosed();
  }

  @Override
  public boolean isUsable() {
    return true;
  }
}
