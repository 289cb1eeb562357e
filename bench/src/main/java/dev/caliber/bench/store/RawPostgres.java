package dev.caliber.bench.store;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.store.StoreConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Properties;

/**
 * The measured work on PostgreSQL by hand, with the store's settings: the same role under the same
 * row-level security, the space set in each transaction, one generic plan for each statement, a
 * flush for every commit.
 */
final class RawPostgres extends RawJdbcContender {

  private static final String BEGIN_IN_SPACE = "BEGIN; SELECT set_config('caliber.space', ?, true)";

  private RawPostgres(Connection writing, Connection reading) throws SQLException {
    super(writing, reading);
  }

  static RawPostgres open(StoreConfig.PostgresSettings like) {
    try {
      Connection writing = connect(like);
      try {
        Connection reading = connect(like);
        execute(
            reading,
            "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
        return new RawPostgres(writing, reading);
      } catch (SQLException e) {
        writing.close();
        throw e;
      }
    } catch (SQLException e) {
      throw BenchException.rawJdbcFailed(e);
    }
  }

  private static Connection connect(StoreConfig.PostgresSettings like) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("prepareThreshold", "1");
    Connection connection = DriverManager.getConnection(like.url(), properties);
    for (String setting :
        List.of(
            "SET search_path = " + like.schema(),
            "SET ROLE " + like.schema() + "_space",
            "SET statement_timeout = " + like.statementTimeout().toMillis(),
            "SET lock_timeout = " + like.statementTimeout().toMillis(),
            "SET synchronous_commit = on",
            "SET plan_cache_mode = force_generic_plan",
            "SET enable_seqscan = off",
            "SET jit = off")) {
      execute(connection, setting);
    }
    return connection;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  void beginWrite(PreparedConnection connection, String inSpace) throws SQLException {
    setSpace(connection, inSpace);
  }

  @Override
  void beginRead(PreparedConnection connection, String inSpace) throws SQLException {
    setSpace(connection, inSpace);
  }

  /** Sends three statements in one round trip, as the store does. */
  @Override
  RawFeedHead beginTurn(PreparedConnection connection, String inSpace) throws SQLException {
    PreparedStatement statement =
        connection.statement(BEGIN_IN_SPACE + "; " + HEAD + " FOR UPDATE");
    statement.setString(1, inSpace);
    statement.setString(2, inSpace);
    statement.execute();
    statement.getMoreResults();
    statement.getMoreResults();
    try (ResultSet rows = statement.getResultSet()) {
      return RawFeedHead.readFrom(rows);
    }
  }

  /** Sends three statements in one round trip. */
  @Override
  void endTurn(PreparedConnection connection, String key, RawFeedHead next) throws SQLException {
    PreparedStatement statement = connection.statement(FEED + "; " + ADVANCE + "; COMMIT");
    bindHeadUpdate(statement, bindFeedEntry(statement, key, next), next);
    statement.execute();
  }

  /** Sends two statements in one round trip; prepared, unlike the driver's own BEGIN. */
  private static void setSpace(PreparedConnection connection, String inSpace) throws SQLException {
    PreparedStatement statement = connection.statement(BEGIN_IN_SPACE);
    statement.setString(1, inSpace);
    statement.execute();
  }

  @Override
  void commit(PreparedConnection connection) throws SQLException {
    connection.statement("COMMIT").execute();
  }

  @Override
  String indexHint(String index) {
    return "";
  }

  @Override
  void bindTime(PreparedStatement statement, int position, Instant time) throws SQLException {
    statement.setObject(position, time.atOffset(ZoneOffset.UTC), Types.TIMESTAMP_WITH_TIMEZONE);
  }
}
