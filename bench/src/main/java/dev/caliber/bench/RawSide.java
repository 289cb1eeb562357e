package dev.caliber.bench;

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
 * The same work by hand: plain JDBC on the very tables that a Caliber store has laid out.
 *
 * <p>What it does as Caliber does, because the data demands it: the same inserts (row with its
 * three index entries, feed row, head), the same statements in the same round trips, the same
 * settings of the connection, the same mapper for the body. A commit reads the head first, since
 * the sequence comes from there.
 *
 * <p>What it leaves out, because a user with one table and one thread would: the checksum (0 is
 * stored), checks of keys and sizes, savepoints, queue and hand-over to a writer thread, sessions
 * that are lent, signals to followers, the row that tells whether a page has a successor.
 */
abstract class RawSide implements Side {

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

  /** Where a space's feed stands. */
  record Head(long sequence, long hostCounter) {
    static Head in(ResultSet rows) throws SQLException {
      rows.next();
      return new Head(rows.getLong(2), rows.getLong(3));
    }

    Head next() {
      return new Head(sequence + 1, hostCounter + 1);
    }
  }

  /** The statements of one connection, prepared on first use and kept. */
  static final class Prepared {
    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    Prepared(Connection connection) {
      this.connection = connection;
    }

    PreparedStatement get(String sql) throws SQLException {
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
  private final ObjectReader reader = Json.mapper().readerFor(Entry.class);
  private final ObjectWriter writer = Json.mapper().writerFor(Entry.class);
  private final Prepared writing;
  private final Prepared reading;
  private final String host;
  private final String bySession;
  private final String byAuthor;

  RawSide(Connection writing, Connection reading) throws SQLException {
    this.writing = new Prepared(writing);
    this.reading = new Prepared(reading);
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

  abstract void beginWrite(Prepared connection, String inSpace) throws SQLException;

  abstract void beginRead(Prepared connection, String inSpace) throws SQLException;

  abstract void commit(Prepared connection) throws SQLException;

  abstract String indexHint(String index);

  abstract void bindTime(PreparedStatement statement, int position, Instant time)
      throws SQLException;

  @Override
  public void commit(Entry entry) {
    try {
      Head next = beginTurn(writing, space).next();
      String key = entry.id().toString();
      insert(entry, key, next.sequence());
      endTurn(writing, key, next);
    } catch (SQLException e) {
      throw BenchException.rawSide(e);
    }
  }

  private void insert(Entry entry, String key, long revision) throws SQLException {
    PreparedStatement statement = writing.get(INSERT);
    int position = 1;
    statement.setString(position++, space);
    statement.setString(position++, key);
    statement.setLong(position++, revision);
    statement.setInt(position++, 1);
    statement.setLong(position++, 0);
    statement.setString(position++, writer.writeValueAsString(entry));
    statement.setString(position++, entry.session());
    statement.setString(position++, entry.author());
    bindTime(statement, position, entry.writtenAt());
    statement.executeUpdate();
  }

  /** Begins a transaction and reads the head, which is ours until the commit. */
  Head beginTurn(Prepared connection, String inSpace) throws SQLException {
    beginWrite(connection, inSpace);
    PreparedStatement statement = connection.get(HEAD);
    statement.setString(1, inSpace);
    try (ResultSet rows = statement.executeQuery()) {
      return Head.in(rows);
    }
  }

  /** Writes the feed's entry, advances the head and commits. */
  void endTurn(Prepared connection, String key, Head next) throws SQLException {
    PreparedStatement feed = connection.get(FEED);
    bindFeed(feed, key, next);
    feed.executeUpdate();
    PreparedStatement advance = connection.get(ADVANCE);
    bindAdvance(advance, 1, next);
    advance.executeUpdate();
    commit(connection);
  }

  /** Binds the entry's values; returns the position after them. */
  final int bindFeed(PreparedStatement statement, String key, Head next) throws SQLException {
    int position = 1;
    statement.setString(position++, space);
    statement.setLong(position++, next.sequence());
    statement.setString(position++, host);
    statement.setLong(position++, next.hostCounter());
    bindTime(statement, position++, Stopwatch.clock().instant());
    statement.setString(position++, "[[\"entry\",\"" + key + "\",\"C\"]]");
    return position;
  }

  final void bindAdvance(PreparedStatement statement, int first, Head next) throws SQLException {
    int position = first;
    statement.setLong(position++, next.sequence());
    statement.setLong(position++, next.hostCounter());
    statement.setString(position, space);
  }

  @Override
  public Entry read(Id key) {
    try {
      beginRead(reading, space);
      PreparedStatement statement = reading.get(SELECT);
      statement.setString(1, space);
      statement.setString(2, key.toString());
      Entry entry;
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        entry = reader.readValue(rows.getBytes(BODY));
      }
      commit(reading);
      return entry;
    } catch (SQLException e) {
      throw BenchException.rawSide(e);
    }
  }

  @Override
  public List<Entry> ofSession(String session, int limit) {
    return scan(bySession, session, limit);
  }

  @Override
  public List<Entry> ofAuthor(String author, int limit) {
    return scan(byAuthor, author, limit);
  }

  private List<Entry> scan(String sql, String value, int limit) {
    try {
      beginRead(reading, space);
      PreparedStatement statement = reading.get(sql);
      statement.setString(1, space);
      statement.setString(2, value);
      statement.setInt(3, limit);
      List<Entry> found = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(reader.readValue(rows.getBytes(BODY)));
        }
      }
      commit(reading);
      return found;
    } catch (SQLException e) {
      throw BenchException.rawSide(e);
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
      throw BenchException.rawSide(e);
    }
  }
}
