package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One connection with the statements it has prepared. Used by one thread at a time. */
abstract class Session implements AutoCloseable {

  static final String ADVANCE =
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

  Session(Connection connection, Dialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
  }

  final Connection connection() {
    return connection;
  }

  final Dialect dialect() {
    return dialect;
  }

  final RowChecksum checksum() {
    return checksum;
  }

  /** The statement for this text, prepared on first use and kept. */
  final PreparedStatement statement(String sql) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null || isSpent(statement)) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    return statement;
  }

  /** Whether a failure has made a kept statement useless, so that it has to be prepared again. */
  boolean isSpent(PreparedStatement statement) {
    return false;
  }

  /** True until it has been used: a fresh connection that fails is not worth another try. */
  final boolean isFresh() {
    return fresh;
  }

  final void markUsed() {
    fresh = false;
  }

  final void execute(String sql) throws SQLException {
    statement(sql).execute();
  }

  /** Runs text that is used once, such as a definition. */
  final void executeOnce(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  abstract void beginRead(SpaceId space) throws SQLException;

  /** Begins a write in which any space that this session may write can be touched. */
  abstract void beginWrite(SpaceId space) throws SQLException;

  /** Begins a group of writes in a space; may lock the space's head on the way. */
  void beginTurn(SpaceId space) throws SQLException {
    beginWrite(space);
  }

  /** Begins a read of one state of all spaces that may take as long as it needs. */
  abstract void beginSurvey() throws SQLException;

  /** Begins a write to all spaces that keeps every other writer out until it ends. */
  abstract void beginAlone() throws SQLException;

  /** Marks the place to which a write can be undone. */
  abstract void mark() throws SQLException;

  /** Moves the mark to where the transaction is now. */
  abstract void moveMark() throws SQLException;

  /** Takes the mark away. */
  abstract void unmark() throws SQLException;

  /** Undoes everything since the mark, which stays. */
  abstract void undoToMark() throws SQLException;

  abstract void commit() throws SQLException;

  /**
   * Sends what a group has appended, writes its last commit into the feed and advances its head, as
   * far as the commit does not.
   */
  void beforeCommit(Commit last, SpaceHead head, List<AppendedRow> appended) throws SQLException {
    AppendedRow.send(this, appended);
    FeedSql.append(this, List.of(last));
    advanceHead(last.space(), head);
  }

  /** Commits a group whose last commit has been given to {@link #beforeCommit}. */
  void commit(Commit last, SpaceHead head, List<AppendedRow> appended) throws SQLException {
    commit();
  }

  abstract void rollback() throws SQLException;

  /** Reads the space's head and, where other processes may write, locks it until the commit. */
  abstract Optional<SpaceHead> lockHead(SpaceId space) throws SQLException;

  /** Whether the connection can still be used after a failure. */
  abstract boolean isUsable();

  final Optional<SpaceHead> head(SpaceId space) throws SQLException {
    PreparedStatement statement = statement(HEAD);
    statement.setString(1, space.value());
    try (ResultSet rows = statement.executeQuery()) {
      return headIn(rows);
    }
  }

  static Optional<SpaceHead> headIn(ResultSet rows) throws SQLException {
    return rows.next()
        ? Optional.of(new SpaceHead(rows.getLong(1), rows.getLong(2), rows.getLong(3)))
        : Optional.empty();
  }

  final void advanceHead(SpaceId space, SpaceHead head) throws SQLException {
    PreparedStatement statement = statement(ADVANCE);
    bindAdvance(statement, 1, space, head);
    statement.executeUpdate();
  }

  static void bindAdvance(PreparedStatement statement, int first, SpaceId space, SpaceHead head)
      throws SQLException {
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
