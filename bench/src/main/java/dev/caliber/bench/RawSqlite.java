package dev.caliber.bench;

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
 * SQLite by hand, with the store's settings: write-ahead log, a flush for every commit, the same
 * caches. The log is written back after the same number of pages, but by the writer itself, as it
 * is without further work.
 */
final class RawSqlite extends RawSide {

  private static final int KIB = 1024;
  private static final int BUSY_MILLIS = 10_000;

  private RawSqlite(Connection writing, Connection reading) throws SQLException {
    super(writing, reading);
  }

  static RawSqlite open(Path directory, StoreConfig.Sqlite like) {
    String url = "jdbc:sqlite:" + directory.resolve("caliber.db");
    try {
      Connection writing = connect(url, like.cache().bytes());
      try {
        run(writing, "PRAGMA wal_autocheckpoint = " + like.checkpointPages());
        Connection reading = connect(url, like.readerCache().bytes());
        run(reading, "PRAGMA query_only = 1");
        return new RawSqlite(writing, reading);
      } catch (SQLException e) {
        writing.close();
        throw e;
      }
    } catch (SQLException e) {
      throw BenchException.rawSide(e);
    }
  }

  /** As the store's own sessions are opened; what changes there has to change here. */
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

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  void beginWrite(Prepared connection, String inSpace) throws SQLException {
    connection.get("BEGIN IMMEDIATE").execute();
  }

  @Override
  void beginRead(Prepared connection, String inSpace) throws SQLException {
    connection.get("BEGIN").execute();
  }

  @Override
  void commit(Prepared connection) throws SQLException {
    connection.get("COMMIT").execute();
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
