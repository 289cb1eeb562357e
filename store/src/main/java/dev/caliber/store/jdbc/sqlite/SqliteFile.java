package dev.caliber.store.jdbc.sqlite;

import dev.caliber.store.StoreException;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.Dialect;
import dev.caliber.store.jdbc.sql.ReaderSessionPool;
import dev.caliber.store.jdbc.sql.StoreFormatV1;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;

/** Store in a single SQLite file that is not in use: a backup being written or read. */
public final class SqliteFile {

  private SqliteFile() {}

  /**
   * Creates a session on a file that is written once and deleted if that fails, hence without a
   * journal.
   */
  static DatabaseSession create(Path file) {
    SQLiteConfig settings = new SQLiteConfig();
    settings.setJournalMode(SQLiteConfig.JournalMode.OFF);
    settings.setSynchronous(SQLiteConfig.SynchronousMode.OFF);
    settings.setGetGeneratedKeys(false);
    DatabaseSession databaseSession = connect(file, settings);
    try {
      databaseSession.executeOnce("PRAGMA application_id = " + StoreFormatV1.APPLICATION_ID);
      databaseSession.executeOnce("PRAGMA user_version = " + StoreFormatV1.VERSION);
      return databaseSession;
    } catch (SQLException e) {
      ReaderSessionPool.closeQuietly(databaseSession);
      throw databaseSession.dialect().translate("Writing", e);
    }
  }

  /** Opens a reading session; refuses a file that is not an undamaged store of a known format. */
  public static DatabaseSession open(Path file) {
    if (!Files.exists(file)) {
      throw StoreException.unreadable(file.toString(), "there is no such file");
    }
    if (!Files.isRegularFile(file)) {
      throw StoreException.unreadable(file.toString(), "the path is not a file");
    }
    SQLiteConfig settings = new SQLiteConfig();
    settings.setReadOnly(true);
    DatabaseSession databaseSession = connect(file, settings);
    try {
      check(databaseSession, file.toString());
      return databaseSession;
    } catch (SQLException e) {
      ReaderSessionPool.closeQuietly(databaseSession);
      throw databaseSession.dialect().translate("Reading", e);
    } catch (Throwable e) {
      ReaderSessionPool.closeQuietly(databaseSession);
      throw e;
    }
  }

  private static void check(DatabaseSession databaseSession, String place) throws SQLException {
    if (number(databaseSession, "PRAGMA application_id") != StoreFormatV1.APPLICATION_ID) {
      throw StoreException.unreadable(place, "the file is not a Caliber store");
    }
    long version = number(databaseSession, "PRAGMA user_version");
    if (version > StoreFormatV1.VERSION) {
      throw StoreException.tooNew(place, "its format", version, StoreFormatV1.VERSION);
    }
    if (version < StoreFormatV1.OLDEST_VERSION) {
      throw StoreException.tooOld(place, version, StoreFormatV1.OLDEST_VERSION);
    }
    String integrity = text(databaseSession, "PRAGMA integrity_check(1)");
    if (!integrity.equals("ok")) {
      throw StoreException.corrupt("%s is damaged: %s".formatted(place, integrity));
    }
  }

  public static long number(DatabaseSession databaseSession, String sql) throws SQLException {
    return Long.parseLong(text(databaseSession, sql));
  }

  public static String text(DatabaseSession databaseSession, String sql) throws SQLException {
    try (Statement statement = databaseSession.connection().createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return String.valueOf(rows.getString(1));
    }
  }

  private static DatabaseSession connect(Path file, SQLiteConfig settings) {
    Dialect dialect = new SqliteDialect(file.toString());
    try {
      Connection connection = settings.createConnection("jdbc:sqlite:" + file);
      return new SqliteSession(connection, dialect);
    } catch (SQLException e) {
      throw dialect.translate("Opening", e);
    }
  }
}
