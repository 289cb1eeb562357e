package dev.caliber.store;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.PrivateFiles;
import dev.caliber.kernel.SpaceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * SQLite in write-ahead mode: one file, one writing session, many reading ones. A lock file keeps
 * other processes from opening the same store; reading the file with another program is harmless.
 * Without a file there is one session, which everybody shares.
 */
final class SqliteEngine implements Engine {

  static final String FILE_NAME = "caliber.db";

  private static final String LANE = "store";
  private static final int KIB = 1024;

  static final int BUSY_BOUND_MILLIS = 10_000;

  private final String url;
  private final String place;
  private final Dialect dialect;
  private final Durability durability;
  private final Caches caches;
  private final StoreConfig.@Nullable Sqlite config;
  private final @Nullable DirectoryLock lock;
  private final @Nullable Session shared;
  private @Nullable SqliteCheckpoints checkpoints;

  private record Caches(DataSize writer, DataSize reader) {}

  private SqliteEngine(
      String place,
      Durability durability,
      Caches caches,
      StoreConfig.@Nullable Sqlite config,
      @Nullable DirectoryLock lock) {
    this.url = "jdbc:sqlite:" + place;
    this.place = place;
    this.dialect = new SqliteDialect(place);
    this.durability = durability;
    this.caches = caches;
    this.config = config;
    this.lock = lock;
    this.shared = lock == null ? connect(SessionRole.WRITER) : null;
  }

  static SqliteEngine open(StoreConfig.Sqlite config, Durability durability) {
    Path directory = config.directory().toAbsolutePath().normalize();
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw StoreException.unreadable(directory.toString(), "it is a file, not a directory");
    }
    DirectoryLock lock = DirectoryLock.take(directory);
    try {
      Path file = directory.resolve(FILE_NAME);
      SqliteHeader.check(file, directory.resolve(FILE_NAME + "-wal"));
      SqliteHeader.requireNoIndex(file, config.searchDirectory());
      boolean isNew = !Files.exists(file);
      if (isNew) {
        PrivateFiles.createFile(file); // SQLite gives its log the permissions of the file
      }
      DataDirectory.close(directory);
      SqliteEngine engine =
          new SqliteEngine(
              file.toString(),
              durability,
              new Caches(config.cache(), config.readerCache()),
              config,
              lock);
      engine.checkHeader(isNew);
      return engine;
    } catch (IOException e) {
      lock.close();
      throw StoreException.unreadable(directory.toString(), String.valueOf(e.getMessage()));
    } catch (Throwable e) {
      lock.close();
      throw e;
    }
  }

  static SqliteEngine inMemory(StoreConfig.InMemory config) {
    Caches caches = new Caches(config.cache(), config.cache());
    return new SqliteEngine(":memory:", Durability.RELAXED, caches, null, null);
  }

  @Override
  public Dialect dialect() {
    return dialect;
  }

  @Override
  public String place() {
    return place;
  }

  @Override
  public Session open(SessionRole role) {
    return shared != null ? shared : connect(role);
  }

  private Session connect(SessionRole role) {
    SQLiteConfig settings = new SQLiteConfig();
    settings.setJournalMode(SQLiteConfig.JournalMode.WAL);
    settings.setSynchronous(
        durability == Durability.FULL
            ? SQLiteConfig.SynchronousMode.FULL
            : SQLiteConfig.SynchronousMode.NORMAL);
    // Else the driver compiles "select last_insert_rowid()" after every insert.
    settings.setGetGeneratedKeys(false);
    settings.setTempStore(SQLiteConfig.TempStore.MEMORY);
    settings.setBusyTimeout(BUSY_BOUND_MILLIS);
    DataSize cache = role == SessionRole.READER ? caches.reader() : caches.writer();
    settings.setCacheSize(Math.toIntExact(-(cache.bytes() / KIB)));
    try {
      Connection connection = settings.createConnection(url);
      try (Statement statement = connection.createStatement()) {
        // Checkpoints are made in the background, not by the writer that crosses a threshold.
        statement.execute("PRAGMA wal_autocheckpoint = 0");
        if (durability == Durability.FULL) {
          // Elsewhere than on macOS this changes nothing; there a plain flush stops at the drive.
          statement.execute("PRAGMA fullfsync = 1");
        }
        // What is deleted is overwritten, so that what is forgotten is not in the file either.
        statement.execute("PRAGMA secure_delete = 1");
        if (role == SessionRole.READER) {
          statement.execute("PRAGMA query_only = 1");
        }
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
      return new SqliteSession(connection, dialect);
    } catch (SQLException e) {
      throw dialect.translate("Opening", e);
    }
  }

  /** Claims a new file, and refuses one that is somebody else's or of a newer version. */
  private void checkHeader(boolean isNew) {
    try (Session session = connect(SessionRole.KEEPER)) {
      long application = pragma(session, "application_id");
      long version = pragma(session, "user_version");
      boolean empty = pragma(session, "schema_version") == 0;
      if (application == StoreFormatV1.APPLICATION_ID) {
        if (version > StoreFormatV1.VERSION) {
          throw StoreException.tooNew(place, "its format", version, StoreFormatV1.VERSION);
        }
      } else if (isNew || empty) {
        session.executeOnce("PRAGMA application_id = " + StoreFormatV1.APPLICATION_ID);
        markVersion(session);
      } else {
        throw StoreException.unreadable(place, "it is a SQLite database, but not a store");
      }
    } catch (SQLException e) {
      throw dialect.translate("Opening", e);
    }
  }

  private static long pragma(Session session, String name) throws SQLException {
    try (Statement statement = session.connection().createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA " + name)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Override
  public Object lane(SpaceId space) {
    return LANE;
  }

  @Override
  public int writers() {
    return 1;
  }

  @Override
  public boolean sharesOneSession() {
    return shared != null;
  }

  @Override
  public boolean writesOnOneSession() {
    return true;
  }

  @Override
  public void lockSchema(Session keeper) {
    // The directory's lock and the write transaction keep everybody else out already.
  }

  @Override
  public void markVersion(Session keeper) throws SQLException {
    keeper.executeOnce("PRAGMA user_version = " + StoreFormatV1.VERSION);
  }

  @Override
  public void secure(Session keeper, Set<String> tables) {
    // Whoever can read the file can read it all; spaces are kept apart by every statement's key.
  }

  @Override
  public void copyTo(Session keeper, Path file, Catalogue catalogue, Progress progress)
      throws SQLException {
    if (shared != null) {
      // Without a file there is no header that would say whose file the copy is.
      StoreCopy.write(keeper, file, catalogue, progress);
      return;
    }
    progress.at("backup", 0, -1);
    try (PreparedStatement statement = keeper.connection().prepareStatement("VACUUM INTO ?")) {
      statement.setString(1, file.toString());
      statement.execute();
    } catch (SQLiteException e) {
      boolean ours = e.getResultCode() == SQLiteErrorCode.SQLITE_CORRUPT;
      Dialect blamed = ours ? dialect : new SqliteDialect(file.toString());
      throw blamed.translate("The backup", e);
    }
  }

  @Override
  public long bytes(Session session) throws SQLException {
    return pragma(session, "page_count") * pragma(session, "page_size");
  }

  @Override
  public void compact(Session session, Progress progress) throws SQLException {
    progress.at("compact", 0, -1);
    // The copy that VACUUM makes is as large as the store: in memory it would not fit.
    session.executeOnce("PRAGMA temp_store = FILE");
    try {
      session.executeOnce("VACUUM");
      pragma(session, "wal_checkpoint(TRUNCATE)");
    } finally {
      session.executeOnce("PRAGMA temp_store = MEMORY");
    }
  }

  @Override
  public List<Check> checks(Catalogue catalogue, StoreConfig.Doctor limits) {
    return config == null
        ? List.of(SqliteChecks.integrity())
        : SqliteChecks.all(config.directory(), durability, limits);
  }

  @Override
  public void start(EngineEvents events) {
    if (config != null) {
      checkpoints = SqliteCheckpoints.start(connect(SessionRole.KEEPER), config, events);
    }
  }

  /** Deleted content was overwritten in the file's pages; the log has its earlier pages. */
  @Override
  public boolean purgeDeleted() {
    return checkpoints == null || checkpoints.truncate();
  }

  @Override
  public void announce(List<Commit> commits) {
    // One process holds the store.
  }

  /**
   * When the disk fails while the log is flushed, the commit is undone here, but it may be on the
   * disk, and come back should this process die before the next write.
   */
  @Override
  public boolean committedAfterAll(Session session, Commit ours, SQLException failure) {
    requireKnownOutcome(failure);
    return false;
  }

  @Override
  public void requireKnownOutcome(SQLException failure) {
    if (SqliteDialect.isDiskFailure(failure)) {
      throw StoreException.commitUnknown("The disk failed while committing", failure);
    }
  }

  @Override
  public void stop() {
    if (checkpoints != null) {
      checkpoints.close();
    }
  }

  @Override
  public void close() {
    if (shared != null) {
      Sessions.closeQuietly(shared);
    }
    if (lock != null) {
      lock.close();
    }
  }
}
