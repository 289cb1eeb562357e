package dev.caliber.store.jdbc;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.jdbc.sql.DatabaseRole;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.DatabaseTask;
import dev.caliber.store.jdbc.sql.Engine;
import dev.caliber.store.jdbc.sql.ReaderSessionPool;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Session of a writer thread, opened on first use and replaced when it has broken. */
final class WriterSession implements AutoCloseable {

  private final Engine engine;
  private final WriterRowCache known;
  private @Nullable DatabaseSession databaseSession;

  WriterSession(Engine engine, WriterRowCache known) {
    this.engine = engine;
    this.known = known;
  }

  DatabaseSession session() {
    DatabaseSession current = databaseSession;
    if (current != null && current.isUsable()) {
      return current;
    }
    if (current != null) {
      known.clear(); // the server may have lost commits with the connection, and continued from
      // there
    }
    close();
    current = engine.open(DatabaseRole.WRITER);
    databaseSession = current;
    return current;
  }

  /** Begins a transaction of the store's own. */
  DatabaseSession begin(SpaceId space) {
    return beginWithRetry(databaseSession -> databaseSession.beginWrite(space));
  }

  /** Begins a group of writes. */
  DatabaseSession beginGroup(SpaceId space) {
    return beginWithRetry(databaseSession -> databaseSession.beginGroup(space));
  }

  /** Begins; a connection that has died since its last use is replaced once. */
  private DatabaseSession beginWithRetry(DatabaseTask beginning) {
    DatabaseSession current = session();
    try {
      beginning.run(current);
      return current;
    } catch (SQLException e) {
      if (current.isUsable()) {
        throw current.dialect().translate("Beginning a write", e);
      }
    }
    DatabaseSession fresh = session();
    try {
      beginning.run(fresh);
      return fresh;
    } catch (SQLException e) {
      throw fresh.dialect().translate("Beginning a write", e);
    }
  }

  void rollbackQuietly(Throwable failure) {
    if (databaseSession != null) {
      try {
        databaseSession.rollback();
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
    }
  }

  @Override
  public void close() {
    if (databaseSession != null) {
      ReaderSessionPool.closeQuietly(databaseSession);
      databaseSession = null;
    }
  }
}
