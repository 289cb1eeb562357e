package dev.caliber.store;

import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The readers' sessions: a bounded number, each lent to one caller at a time. */
final class Sessions implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);

  private final Supplier<Session> opener;
  private final StoreConfig.Reads limits;
  private final Semaphore permits;
  private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  Sessions(Supplier<Session> opener, StoreConfig.Reads limits) {
    this.opener = opener;
    this.limits = limits;
    this.permits = new Semaphore(limits.sessions());
  }

  Lease lease() {
    acquire();
    try {
      if (closed.get()) {
        throw StoreException.closed();
      }
      return new Lease(this, take());
    } catch (RuntimeException | Error e) {
      permits.release();
      throw e;
    }
  }

  /** An idle session, or a new one. */
  Session take() {
    Session session = idle.pollFirst();
    while (session != null && !session.isUsable()) {
      closeQuietly(session);
      session = idle.pollFirst();
    }
    return session != null ? session : opener.get();
  }

  void giveBack(Session session) {
    if (closed.get() || !session.isUsable()) {
      closeQuietly(session);
    } else {
      idle.addFirst(session);
    }
    permits.release();
  }

  private void acquire() {
    if (permits.tryAcquire()) {
      return;
    }
    try {
      if (!permits.tryAcquire(limits.patience().toMillis(), TimeUnit.MILLISECONDS)) {
        throw StoreException.busy("No reading session became free", "store.reads.patience");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StoreException.transactionFailed("Interrupted while waiting for a session", e);
    }
  }

  static void closeQuietly(Session session) {
    try {
      session.close();
    } catch (SQLException e) {
      LOG.debug("A session did not close cleanly", e);
    }
  }

  /** Waits until every lent session has come back. */
  @Override
  public void close() {
    closed.set(true);
    permits.acquireUninterruptibly(limits.sessions());
    idle.forEach(Sessions::closeQuietly);
    idle.clear();
    permits.release(limits.sessions());
  }
}
