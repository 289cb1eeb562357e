package dev.caliber.bench.store;

import dev.caliber.bench.harness.BenchEntry;
import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;

/**
 * The measured work by hand: plain JDBC on the tables that a Caliber store has created.
 *
 * <p>It does what Caliber does for the sake of the data: the same inserts (row with its three index
 * entries, feed row, head), the same statements in the same round trips, the same settings of the
 * connection, the same mapper for the body. A commit reads the head first, since the sequence comes
 * from there.
 *
 * <p>It omits what a user with one table and one thread would omit: the checksum (0 is stored),
 * checks of keys and sizes, savepoints, queue and hand-over to a writer thread, borrowed sessions,
 * signals to followers, the row that shows whether a page has a successor.
 */
abstract class RawJdbcContender implements Contender {

  static final String HEAD =
      "SELECT \"epoch\", \"sequence\", \"host_counter\" FROM store_space WHERE \"name\" = ?";

  private static final String INSERT =
      """
      INSERT INTO "entry" ("space", "key", "revision", "schema", "crc", "body", "session", "author",
      "written_at") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING""";

  static final String FEED =
      """
      INSERT INTO store_feed ("space", "sequence", "host", "host_counter", "time", "changes")
      VALUES (?, ?, ?, ?, ?, ?)""";

  static final String ADVANCE =
      "UPDATE store_space SET \"sequence\" = ?, \"host_counter\" = ? WHERE \"name\" = ?";

  private static final String COLUMNS =
      "SELECT \"key\", \"revision\", \"schema\", \"crc\", \"body\" FROM \"entry\"";

  private static final String SELECT = COLUMNS + " WHERE \"space\" = ? AND \"key\" = ?";

  private static final int BODY = 5;

  /** The head of a space's feed. */
  record RawFeedHead(long sequence, long hostCounter) {
    static RawFeedHead readFrom(ResultSet rows) throws SQLException {
      rows.next();
      return new RawFeedHead(rows.getLong(2), rows.getLong(3));
    }

    RawFeedHead next() {
      return new RawFeedHead(sequence + 1, hostCounter + 1);
    }
  }

  /** The statements of one connection, prepared on first use and cached. */
  static final class PreparedConnection {
    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    PreparedConnection(Connection connection) {
      this.connection = connection;
    }

    PreparedStatement statement(String sql) throws SQLException {
      PreparedStatement statement = statements.get(sql);
      if (statement == null) {
        statement = connection.prepareStatement(sql);
        statements.put(sql, statement);
      }
      return statement;
    }

    Connection connection() {
      return connection;
    }
  }

  private final String space = SpaceId.DEFAULT.value();
  private final ObjectReader reader = Json.mapper().readerFor(BenchEntry.class);
  private final ObjectWriter writer = Json.mapper().writerFor(BenchEntry.class);
  private final PreparedConnection writing;
  private final PreparedConnection reading;
  private final String host;
  private final String bySession;
  private final String byAuthor;

  RawJdbcContender(Connection writing, Connection reading) throws SQLException {
    this.writing = new PreparedConnection(writing);
    this.reading = new PreparedConnection(reading);
    this.host = readHost(writing);
    this.bySession =
        COLUMNS
            + indexHint("entry_by_session_written_at")
            + " WHERE \"space\" = ? AND \"session\" IS NOT NULL AND \"written_at\" IS NOT NULL"
            + " AND \"session\" = ? ORDER BY \"written_at\", \"key\" LIMIT ?";
    this.byAuthor =
        COLUMNS
            + indexHint("entry_by_author")
            + " WHERE \"space\" = ? AND \"author\" IS NOT NULL AND \"author\" = ?"
            + " ORDER BY \"key\" LIMIT ?";
  }

  abstract void beginWrite(PreparedConnection connection, String inSpace) throws SQLException;

  abstract void beginRead(PreparedConnection connection, String inSpace) throws SQLException;

  abstract void commit(PreparedConnection connection) throws SQLException;

  abstract String indexHint(String index);

  abstract void bindTime(PreparedStatement statement, int position, Instant time)
      throws SQLException;

  @Override
  public void commit(BenchEntry benchEntry) {
    try {
      RawFeedHead next = beginTurn(writing, space).next();
      String key = benchEntry.id().toString();
      insert(benchEntry, key, next.sequence());
      endTurn(writing, key, next);
    } catch (SQLException e) {
      throw BenchException.rawJdbcFailed(e);
    }
  }

  private void insert(BenchEntry benchEntry, String key, long revision) throws SQLException {
    PreparedStatement statement = writing.statement(INSERT);
    int position = 1;
    statement.setString(position++, space);
    statement.setString(position++, key);
    statement.setLong(position++, revision);
    statement.setInt(position++, 1);
    statement.setLong(position++, 0);
    statement.setString(position++, writer.writeValueAsString(benchEntry));
    statement.setString(position++, benchEntry.session());
    statement.setString(position++, benchEntry.author());
    bindTime(statement, position, benchEntry.writtenAt());
    statement.executeUpdate();
  }

  /** Begins a transaction and reads the head, which is locked until the commit. */
  RawFeedHead beginTurn(PreparedConnection connection, String inSpace) throws SQLException {
    beginWrite(connection, inSpace);
    PreparedStatement statement = connection.statement(HEAD);
    statement.setString(1, inSpace);
    try (ResultSet rows = statement.executeQuery()) {
      return RawFeedHead.readFrom(rows);
    }
  }

  /** Writes the feed's entry, advances the head and commits. */
  void endTurn(PreparedConnection connection, String key, RawFeedHead next) throws SQLException {
    PreparedStatement feed = connection.statement(FEED);
    bindFeedEntry(feed, key, next);
    feed.executeUpdate();
    PreparedStatement advance = connection.statement(ADVANCE);
    bindHeadUpdate(advance, 1, next);
    advance.executeUpdate();
    commit(connection);
  }

  /** Binds the entry's values; returns the position after them. */
  final int bindFeedEntry(PreparedStatement statement, String key, RawFeedHead next)
      throws SQLException {
    int position = 1;
    statement.setString(position++, space);
    statement.setLong(position++, next.sequence());
    statement.setString(position++, host);
    statement.setLong(position++, next.hostCounter());
    bindTime(statement, position++, Stopwatch.clock().instant());
    statement.setString(position++, "[[\"entry\",\"" + key + "\",\"C\"]]");
    return position;
  }

  final void bindHeadUpdate(PreparedStatement statement, int first, RawFeedHead next)
      throws SQLException {
    int position = first;
    statement.setLong(position++, next.sequence());
    statement.setLong(position++, next.hostCounter());
    statement.setString(position, space);
  }

  @Override
  public BenchEntry read(Id key) {
    try {
      beginRead(reading, space);
      PreparedStatement statement = reading.statement(SELECT);
      statement.setString(1, space);
      statement.setString(2, key.toString());
      BenchEntry benchEntry;
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        benchEntry = reader.readValue(rows.getBytes(BODY));
      }
      commit(reading);
      return benchEntry;
    } catch (SQLException e) {
      throw BenchException.rawJdbcFailed(e);
    }
  }

  @Override
  public List<BenchEntry> readSession(String session, int limit) {
    return scanEntries(bySession, session, limit);
  }

  @Override
  public List<BenchEntry> readAuthor(String author, int limit) {
    return scanEntries(byAuthor, author, limit);
  }

  private List<BenchEntry> scanEntries(String sql, String value, int limit) {
    try {
      beginRead(reading, space);
      PreparedStatement statement = reading.statement(sql);
      statement.setString(1, space);
      statement.setString(2, value);
      statement.setInt(3, limit);
      List<BenchEntry> found = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(reader.readValue(rows.getBytes(BODY)));
        }
      }
      commit(reading);
      return found;
    } catch (SQLException e) {
      throw BenchException.rawJdbcFailed(e);
    }
  }

  private static String readHost(Connection connection) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT value FROM store_meta WHERE name = 'host'");
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getString(1);
    }
  }

  @Override
  public void close() {
    try (Connection first = writing.connection();
        Connection second = reading.connection()) {
      first.clearWarnings();
      second.clearWarnings();
    } catch (SQLException e) {
      throw BenchException.rawJdbcFailed(e);
    }
  }
}
