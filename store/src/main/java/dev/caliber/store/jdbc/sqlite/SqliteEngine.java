package dev.caliber.store.jdbc.sqlite;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.PrivateFiles;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.Durability;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreException;
import dev.caliber.store.jdbc.sql.DatabaseRole;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.DeclaredTables;
import dev.caliber.store.jdbc.sql.Dialect;
import dev.caliber.store.jdbc.sql.Engine;
import dev.caliber.store.jdbc.sql.EngineListener;
import dev.caliber.store.jdbc.sql.ReaderSessionPool;
import dev.caliber.store.jdbc.sql.StoreFormatV1;
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
 * Without a file there is one session, which all readers and the writer share.
 */
public final class SqliteEngine implements Engine {

  static final String FILE_NAME = "caliber.db";

  private static final String LANE = "store";
  private static final int KIB = 1024;

  static final int BUSY_BOUND_MILLIS = 10_000;

  private final String url;
  private final String place;
  private final Dialect dialect;
  private final Durability durability;
  private final CacheSizes cacheSizes;
  private final StoreConfig.@Nullable SqliteSettings config;
  private final @Nullable DirectoryLock lock;
  private final @Nullable DatabaseSession shared;
  private @Nullable SqliteCheckpointer checkpoints;

  private record CacheSizes(DataSize writer, DataSize reader) {}

  private SqliteEngine(
      String place,
      Durability durability,
      CacheSizes cacheSizes,
      StoreConfig.@Nullable SqliteSettings config,
      @Nullable DirectoryLock lock) {
    this.url = "jdbc:sqlite:" + place;
    this.place = place;
    this.dialect = new SqliteDialect(place);
    this.durability = durability;
    this.cacheSizes = cacheSizes;
    this.config = config;
    this.lock = lock;
    this.shared = lock == null ? connect(DatabaseRole.WRITER) : null;
  }

  public static SqliteEngine open(StoreConfig.SqliteSettings config, Durability durability) {
    Path directory = config.directory().toAbsolutePath().normalize();
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw StoreException.unreadable(directory.toString(), "the path is a file, not a directory");
    }
    DirectoryLock lock = DirectoryLock.acquire(directory);
    try {
      Path file = directory.resolve(FILE_NAME);
      SqliteHeader.check(file, directory.resolve(FILE_NAME + "-wal"));
      SqliteHeader.requireNoIndex(file, config.searchDirectory());
      boolean isNew = !Files.exists(file);
      if (isNew) {
        PrivateFiles.createFile(file); // SQLite gives its log the permissions of the file
      }
      DirectoryPermissions.restrict(directory);
      SqliteEngine engine =
          new SqliteEngine(
              file.toString(),
              durability,
              new CacheSizes(config.writerCache(), config.readerCache()),
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

  public static SqliteEngine inMemory(StoreConfig.InMemorySettings config) {
    CacheSizes cacheSizes = new CacheSizes(config.writerCache(), config.writerCache());
    return new SqliteEngine(":memory:", Durability.RELAXED, cacheSizes, null, null);
  }

  @Override
  public Dialect dialect() {
    return dialect;
  }

  @Override
  public String location() {
    return place;
  }

  @Override
  public DatabaseSession open(DatabaseRole role) {
    return shared != null ? shared : connect(role);
  }

  private DatabaseSession connect(DatabaseRole role) {
    SQLiteConfig settings = new SQLiteConfig();
    settings.setJournalMode(SQLiteConfig.JournalMode.WAL);
    settings.setSynchronous(
        durability == Durability.FULL
            ? SQLiteConfig.SynchronousMode.FULL
            : SQLiteConfig.SynchronousMode.NORMAL);
    // Otherwise the driver compiles "select last_insert_rowid()" after every insert.
    settings.setGetGeneratedKeys(false);
    settings.setTempStore(SQLiteConfig.TempStore.MEMORY);
    settings.setBusyTimeout(BUSY_BOUND_MILLIS);
    DataSize cache = role == DatabaseRole.READER ? cacheSizes.reader() : cacheSizes.writer();
    settings.setCacheSize(Math.toIntExact(-(cache.bytes() / KIB)));
    try {
      Connection connection = settings.createConnection(url);
      try (Statement statement = connection.createStatement()) {
        // Checkpoints run in the background, not on the writer that exceeds a threshold.
        statement.execute("PRAGMA wal_autocheckpoint = 0");
        if (durability == Durability.FULL) {
          // Has an effect on macOS only, where a plain flush does not go beyond the drive's cache.
          statement.execute("PRAGMA fullfsync = 1");
        }
        // Deleted content is overwritten, so that forgotten records are not in the file either.
        statement.execute("PRAGMA secure_delete = 1");
        if (role == DatabaseRole.READER) {
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

  /** Claims a new file, and refuses one of another application or of a newer version. */
  private void checkHeader(boolean isNew) {
    try (DatabaseSession databaseSession = connect(DatabaseRole.KEEPER)) {
      long application = pragma(databaseSession, "application_id");
      long version = pragma(databaseSession, "user_version");
      boolean empty = pragma(databaseSession, "schema_version") == 0;
      if (application == StoreFormatV1.APPLICATION_ID) {
        if (version > StoreFormatV1.VERSION) {
          throw StoreException.tooNew(place, "its format", version, StoreFormatV1.VERSION);
        }
      } else if (isNew || empty) {
        databaseSession.executeOnce("PRAGMA application_id = " + StoreFormatV1.APPLICATION_ID);
        markVersion(databaseSession);
      } else {
        throw StoreException.unreadable(place, "the file is a SQLite database, but not a store");
      }
    } catch (SQLException e) {
      throw dialect.translate("Opening", e);
    }
  }

  private static long pragma(DatabaseSession databaseSession, String name) throws SQLException {
    try (Statement statement = databaseSession.connection().createStatement();
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
  public int writerCount() {
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
  public void lockSchema(DatabaseSession keeper) {
    // The directory's lock and the write transaction exclude other processes already.
  }

  private static void markVersion(DatabaseSession keeper) throws SQLException {
    keeper.executeOnce("PRAGMA user_version = " + StoreFormatV1.VERSION);
  }

  @Override
  public void protectTables(DatabaseSession keeper, Set<String> tables) {
    // A process that can read the file can read it all; every statement's key keeps spaces apart.
  }

  @Override
  public void copyTo(
      DatabaseSession keeper,
      Path file,
      DeclaredTables declaredTables,
      ProgressListener progressListener)
      throws SQLException {
    if (shared != null) {
      // Without a file there is no header that would mark the copy as a store.
      StoreCopy.write(keeper, file, declaredTables, progressListener);
      return;
    }
    progressListener.onProgress("backup", 0, -1);
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
  public long sizeInBytes(DatabaseSession databaseSession) throws SQLException {
    return pragma(databaseSession, "page_count") * pragma(databaseSession, "page_size");
  }

  @Override
  public void compact(DatabaseSession databaseSession, ProgressListener progressListener)
      throws SQLException {
    progressListener.onProgress("compact", 0, -1);
    // The copy that VACUUM makes is as large as the store: in memory it would not fit.
    databaseSession.executeOnce("PRAGMA temp_store = FILE");
    try {
      databaseSession.executeOnce("VACUUM");
      pragma(databaseSession, "wal_checkpoint(TRUNCATE)");
    } finally {
      databaseSession.executeOnce("PRAGMA temp_store = MEMORY");
    }
  }

  @Override
  public void start(EngineListener events) {
    if (config != null) {
      checkpoints = SqliteCheckpointer.start(connect(DatabaseRole.KEEPER), config, events);
    }
  }

  /**
   * Empties the log, which holds earlier pages; deleted content in the file's pages is overwritten
   * already.
   */
  @Override
  public boolean purgeDeleted() {
    return checkpoints == null || checkpoints.truncate();
  }

  @Override
  public void notifyOtherProcesses(List<Commit> commits) {
    // Only this process has the store open.
  }

  /**
   * Returns false. If the disk fails while the log is flushed, the commit is undone here, but it
   * may be on the disk, and reappear should this process die before the next write.
   */
  @Override
  public boolean hasCommitted(DatabaseSession databaseSession, Commit ours, SQLException failure) {
    requireKnownOutcome(failure);
    return false;
  }

  @Override
  public void requireKnownOutcome(SQLException failure) {
    if (SqliteDialect.isDiskFailure(failure)) {
      throw StoreException.commitUnknown("The disk failed during a commit", failure);
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
      ReaderSessionPool.closeQuietly(shared);
    }
    if (lock != null) {
      lock.close();
    }
  }
}
