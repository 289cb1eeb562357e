package dev.caliber.store.jdbc.sql;

import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreException;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pool of the readers' sessions: a bounded number, each lent to one caller at a time. */
public final class ReaderSessionPool implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReaderSessionPool.class);

  private final Supplier<DatabaseSession> opener;
  private final StoreConfig.ReadSettings limits;
  private final Semaphore permits;
  private final ConcurrentLinkedDeque<DatabaseSession> idle = new ConcurrentLinkedDeque<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  public ReaderSessionPool(Supplier<DatabaseSession> opener, StoreConfig.ReadSettings limits) {
    this.opener = opener;
    this.limits = limits;
    this.permits = new Semaphore(limits.connections());
  }

  public BorrowedSession borrow() {
    acquirePermit();
    try {
      if (closed.get()) {
        throw StoreException.closed();
      }
      return new BorrowedSession(this, takeIdleOrOpen());
    } catch (RuntimeException | Error e) {
      permits.release();
      throw e;
    }
  }

  /** Returns an idle session, or a new one. */
  DatabaseSession takeIdleOrOpen() {
    DatabaseSession databaseSession = idle.pollFirst();
    while (databaseSession != null && !databaseSession.isUsable()) {
      closeQuietly(databaseSession);
      databaseSession = idle.pollFirst();
    }
    return databaseSession != null ? databaseSession : opener.get();
  }

  void returnSession(DatabaseSession databaseSession) {
    if (closed.get() || !databaseSession.isUsable()) {
      closeQuietly(databaseSession);
    } else {
      idle.addFirst(databaseSession);
    }
    permits.release();
  }

  private void acquirePermit() {
    if (permits.tryAcquire()) {
      return;
    }
    try {
      if (!permits.tryAcquire(limits.queueTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
        throw StoreException.busy(
            "No connection for reading became free in time", "store.reads.queue-timeout");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StoreException.transactionFailed(
          "The thread was interrupted while it waited for a connection for reading", e);
    }
  }

  public static void closeQuietly(DatabaseSession databaseSession) {
    try {
      databaseSession.close();
    } catch (SQLException e) {
      LOG.debug("A connection to the database did not close cleanly", e);
    }
  }

  /** Closes the pool and waits until every lent session has been returned. */
  @Override
  public void close() {
    closed.set(true);
    permits.acquireUninterruptibly(limits.connections());
    idle.forEach(ReaderSessionPool::closeQuietly);
    idle.clear();
    permits.release(limits.connections());
  }
}
