package dev.caliber.store.jdbc.sql;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One connection with its prepared statements. Used by one thread at a time. */
public abstract class DatabaseSession implements AutoCloseable {

  public static final String ADVANCE =
      "UPDATE %s SET \"sequence\" = ?, \"host_counter\" = ? WHERE \"name\" = ?"
          .formatted(StoreFormatV1.SPACES);

  private static final String HEAD =
      "SELECT \"epoch\", \"sequence\", \"host_counter\" FROM %s WHERE \"name\" = ?"
          .formatted(StoreFormatV1.SPACES);

  private final Connection connection;
  private final Dialect dialect;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private final RowChecksum checksum = new RowChecksum();
  private boolean fresh = true;

  public DatabaseSession(Connection connection, Dialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
  }

  public final Connection connection() {
    return connection;
  }

  public final Dialect dialect() {
    return dialect;
  }

  public final RowChecksum checksum() {
    return checksum;
  }

  /** Returns the prepared statement for this text; it is prepared on first use and cached. */
  public final PreparedStatement statement(String sql) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null || isUnusable(statement)) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    return statement;
  }

  /**
   * Returns whether a failure has made a cached statement useless, so that it has to be prepared
   * again.
   */
  public boolean isUnusable(PreparedStatement statement) {
    return false;
  }

  /**
   * Returns true until the session has been used: a failure on a fresh connection is not retried.
   */
  final boolean isFresh() {
    return fresh;
  }

  public final void markUsed() {
    fresh = false;
  }

  public final void execute(String sql) throws SQLException {
    statement(sql).execute();
  }

  /** Runs text that is used once, such as a definition. */
  public final void executeOnce(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  public abstract void beginRead(SpaceId space) throws SQLException;

  /** Begins a write in this space. */
  public abstract void beginWrite(SpaceId space) throws SQLException;

  /** Begins a group of writes in a space; may lock the space's head in the same round trip. */
  public void beginGroup(SpaceId space) throws SQLException {
    beginWrite(space);
  }

  /** Begins a read of one state of all spaces. It has no time limit. */
  public abstract void beginReadOfAllSpaces() throws SQLException;

  /** Begins a write to all spaces that blocks every other writer until it ends. */
  public abstract void beginExclusiveWrite() throws SQLException;

  /** Sets the savepoint to which a write can be rolled back. */
  public abstract void setSavepoint() throws SQLException;

  /** Moves the savepoint to the current state of the transaction. */
  public abstract void moveSavepoint() throws SQLException;

  /** Releases the savepoint. */
  public abstract void releaseSavepoint() throws SQLException;

  /** Rolls back to the savepoint, which remains set. */
  public abstract void rollBackToSavepoint() throws SQLException;

  public abstract void commit() throws SQLException;

  /**
   * Sends the rows that the group has appended, writes the group's last commit into the feed and
   * advances the space's head. A part of this may be left for {@link #commit}.
   */
  public void prepareCommit(Commit last, SpaceHead head, List<AppendedRow> appended)
      throws SQLException {
    AppendedRow.send(this, appended);
    FeedSql.append(this, List.of(last));
    advanceHead(last.space(), head);
  }

  /** Commits a group whose last commit has been given to {@link #prepareCommit}. */
  public void commit(Commit last, SpaceHead head, List<AppendedRow> appended) throws SQLException {
    commit();
  }

  public abstract void rollback() throws SQLException;

  /** Reads the space's head and, where other processes may write, locks it until the commit. */
  public abstract Optional<SpaceHead> lockHead(SpaceId space) throws SQLException;

  /** Returns whether the connection can still be used after a failure. */
  public abstract boolean isUsable();

  public final Optional<SpaceHead> head(SpaceId space) throws SQLException {
    PreparedStatement statement = statement(HEAD);
    statement.setString(1, space.value());
    try (ResultSet rows = statement.executeQuery()) {
      return readHead(rows);
    }
  }

  public static Optional<SpaceHead> readHead(ResultSet rows) throws SQLException {
    return rows.next()
        ? Optional.of(new SpaceHead(rows.getLong(1), rows.getLong(2), rows.getLong(3)))
        : Optional.empty();
  }

  public final void advanceHead(SpaceId space, SpaceHead head) throws SQLException {
    PreparedStatement statement = statement(ADVANCE);
    bindAdvance(statement, 1, space, head);
    statement.executeUpdate();
  }

  public static void bindAdvance(
      PreparedStatement statement, int first, SpaceId space, SpaceHead head) throws SQLException {
    int position = first;
    statement.setLong(position++, head.sequence());
    statement.setLong(position++, head.hostCounter());
    statement.setString(position, space.value());
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
