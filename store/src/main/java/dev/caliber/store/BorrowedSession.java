package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.sql.SQLException;

/** Reading session that is borrowed from the pool for one read. */
final class BorrowedSession implements AutoCloseable {

  private final ReaderSessionPool readerSessionPool;
  private DatabaseSession databaseSession;

  BorrowedSession(ReaderSessionPool readerSessionPool, DatabaseSession databaseSession) {
    this.readerSessionPool = readerSessionPool;
    this.databaseSession = databaseSession;
  }

  DatabaseSession session() {
    return databaseSession;
  }

  /** Begins a read. A connection that has died since its last use is replaced. */
  DatabaseSession begin(SpaceId space) throws SQLException {
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
