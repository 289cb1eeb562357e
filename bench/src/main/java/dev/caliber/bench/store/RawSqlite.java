package dev.caliber.bench.store;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.kernel.Timestamps;
import dev.caliber.store.StoreConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import org.sqlite.SQLiteConfig;

/**
 * The measured work on SQLite by hand, with the store's settings: write-ahead log, a flush for
 * every commit, the same caches. The log is written back after the same number of pages, but by the
 * writer itself.
 */
final class RawSqlite extends RawJdbcContender {

  private static final int KIB = 1024;
  private static final int BUSY_MILLIS = 10_000;

  private RawSqlite(Connection writing, Connection reading) throws SQLException {
    super(writing, reading);
  }

  static RawSqlite open(Path directory, StoreConfig.SqliteSettings like) {
    String url = "jdbc:sqlite:" + directory.resolve("caliber.db");
    try {
      Connection writing = connect(url, like.writerCache().bytes());
      try {
        execute(writing, "PRAGMA wal_autocheckpoint = " + like.checkpointPages());
        Connection reading = connect(url, like.readerCache().bytes());
        execute(reading, "PRAGMA query_only = 1");
        return new RawSqlite(writing, reading);
      } catch (SQLException e) {
        writing.close();
        throw e;
      }
    } catch (SQLException e) {
      throw BenchException.rawJdbcFailed(e);
    }
  }

  /** Opens a connection as the store opens its sessions; a change there must be repeated here. */
  private static Connection connect(String url, long cacheBytes) throws SQLException {
    SQLiteConfig settings = new SQLiteConfig();
    settings.setJournalMode(SQLiteConfig.JournalMode.WAL);
    settings.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    settings.setTempStore(SQLiteConfig.TempStore.MEMORY);
    settings.setGetGeneratedKeys(false);
    settings.setBusyTimeout(BUSY_MILLIS);
    settings.setCacheSize(Math.toIntExact(-(cacheBytes / KIB)));
    return settings.createConnection(url);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  void beginWrite(PreparedConnection connection, String inSpace) throws SQLException {
    connection.statement("BEGIN IMMEDIATE").execute();
  }

  @Override
  void beginRead(PreparedConnection connection, String inSpace) throws SQLException {
    connection.statement("BEGIN").execute();
  }

  @Override
  void commit(PreparedConnection connection) throws SQLException {
    connection.statement("COMMIT").execute();
  }

  @Override
  String indexHint(String index) {
    return " INDEXED BY \"" + index + '"';
  }

  @Override
  void bindTime(PreparedStatement statement, int position, Instant time) throws SQLException {
    statement.setString(position, Timestamps.format(time));
  }
}
