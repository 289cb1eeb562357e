package dev.caliber.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;

/** A store in a single SQLite file that nobody works with: a backup being written or read. */
final class SqliteFile {

  private SqliteFile() {}

  /** A session on a file that is written once and thrown away if that fails, hence no journal. */
  static Session create(Path file) {
    SQLiteConfig settings = new SQLiteConfig();
    settings.setJournalMode(SQLiteConfig.JournalMode.OFF);
    settings.setSynchronous(SQLiteConfig.SynchronousMode.OFF);
    settings.setGetGeneratedKeys(false);
    Session session = connect(file, settings);
    try {
      session.executeOnce("PRAGMA application_id = " + StoreFormatV1.APPLICATION_ID);
      session.executeOnce("PRAGMA user_version = " + StoreFormatV1.VERSION);
      return session;
    } catch (SQLException e) {
      Sessions.closeQuietly(session);
      throw session.dialect().translate("Writing", e);
    }
  }

  /** A reading session; refuses whatever is not an undamaged store of a known format. */
  static Session open(Path file) {
    if (!Files.exists(file)) {
      throw StoreException.unreadable(file.toString(), "there is no such file");
    }
    if (!Files.isRegularFile(file)) {
      throw StoreException.unreadable(file.toString(), "it is not a file");
    }
    SQLiteConfig settings = new SQLiteConfig();
    settings.setReadOnly(true);
    Session session = connect(file, settings);
    try {
      check(session, file.toString());
      return session;
    } catch (SQLException e) {
      Sessions.closeQuietly(session);
      throw session.dialect().translate("Reading", e);
    } catch (Throwable e) {
      Sessions.closeQuietly(session);
      throw e;
    }
  }

  private static void check(Session session, String place) throws SQLException {
    if (number(session, "PRAGMA application_id") != StoreFormatV1.APPLICATION_ID) {
      throw StoreException.unreadable(place, "it is not a Caliber store");
    }
    long version = number(session, "PRAGMA user_version");
    if (version > StoreFormatV1.VERSION) {
      throw StoreException.tooNew(place, "its format", version, StoreFormatV1.VERSION);
    }
    String integrity = text(session, "PRAGMA integrity_check(1)");
    if (!integrity.equals("ok")) {
      throw StoreException.corrupt("%s is damaged: %s".formatted(place, integrity));
    }
  }

  static long number(Session session, String sql) throws SQLException {
    return Long.parseLong(text(session, sql));
  }

  static String text(Session session, String sql) throws SQLException {
    try (Statement statement = session.connection().createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return String.valueOf(rows.getString(1));
    }
  }

  private static Session connect(Path file, SQLiteConfig settings) {
    Dialect dialect = new SqliteDialect(file.toString());
    try {
      Connection connection = settings.createConnection("jdbc:sqlite:" + file);
      return new SqliteSession(connection, dialect);
    } catch (SQLException e) {
      throw dialect.translate("Opening", e);
    }
  }
}
