package dev.caliber.store.jdbc.sql;

import dev.caliber.kernel.SpaceId;
import java.sql.SQLException;

/** Reading session that is borrowed from the pool for one read. */
public final class BorrowedSession implements AutoCloseable {

  private final ReaderSessionPool readerSessionPool;
  private DatabaseSession databaseSession;

  BorrowedSession(ReaderSessionPool readerSessionPool, DatabaseSession databaseSession) {
    this.readerSessionPool = readerSessionPool;
    this.databaseSession = databaseSession;
  }

  public DatabaseSession session() {
    return databaseSession;
  }

  /** Begins a read. A connection that has died since its last use is replaced. */
  public DatabaseSession begin(SpaceId space) throws SQLException {
    while (true) {
      try {
        databaseSession.beginRead(space);
        return databaseSession;
      } catch (SQLException e) {
        if (databaseSession.isUsable() || databaseSession.isFresh()) {
          throw e;
        }
        ReaderSessionPool.closeQuietly(databaseSession);
        databaseSession = readerSessionPool.takeIdleOrOpen();
      }
    }
  }

  @Override
  public void close() {
    readerSessionPool.returnSession(databaseSession);
  }
}
