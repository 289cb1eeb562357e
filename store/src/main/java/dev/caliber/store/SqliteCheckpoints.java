package dev.caliber.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the log back into the file, beside the writer.
 *
 * <p>Most of it happens on this thread. But while writes go on the log never ends, and only a log
 * that has been written back to its end starts over; so the last few pages are written back on the
 * writer's thread, between two groups, where the log stands still.
 */
final class SqliteCheckpoints implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SqliteCheckpoints.class);

  private static final String LOOK = "PRAGMA wal_checkpoint(NOOP)";
  private static final String WRITE_BACK = "PRAGMA wal_checkpoint(PASSIVE)";

  /**
   * The remainder that the writer is asked to write back, as a share of what starts a checkpoint.
   */
  private static final int REMAINDER_DIVISOR = 16;

  private static final int ROUNDS = 4;

  private final Session session;
  private final StoreConfig.Sqlite config;
  private final EngineEvents events;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stopped = lock.newCondition();

  @GuardedBy("lock")
  private boolean stopping;

  private SqliteCheckpoints(Session session, StoreConfig.Sqlite config, EngineEvents events) {
    this.session = session;
    this.config = config;
    this.events = events;
    this.thread = Thread.ofPlatform().name("caliber-checkpoints").daemon().unstarted(this::run);
  }

  static SqliteCheckpoints start(Session session, StoreConfig.Sqlite config, EngineEvents events) {
    SqliteCheckpoints checkpoints = new SqliteCheckpoints(session, config, events);
    checkpoints.thread.start();
    return checkpoints;
  }

  /** Pages that are in the log, and how many of them are in the file as well. */
  private record Log(long pages, long writtenBack) {
    long remainder() {
      return pages - writtenBack;
    }
  }

  private void run() {
    while (!pause()) {
      try {
        if (log(session, LOOK).remainder() >= config.checkpointPages()) {
          checkpoint();
        }
      } catch (SQLException | StoreException e) {
        LOG.warn("A checkpoint failed and will be tried again: {}", e.getMessage());
      }
    }
  }

  private void checkpoint() throws SQLException {
    long small = config.checkpointPages() / REMAINDER_DIVISOR;
    long remainder = log(session, WRITE_BACK).remainder();
    for (int round = 1; round < ROUNDS && remainder > small; round++) {
      remainder = log(session, WRITE_BACK).remainder();
    }
    events.betweenWrites(writer -> log(writer, WRITE_BACK));
  }

  private static Log log(Session session, String pragma) throws SQLException {
    PreparedStatement statement = session.statement(pragma);
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return new Log(rows.getLong(2), rows.getLong(3));
    }
  }

  /** True when it is time to stop. */
  private boolean pause() {
    lock.lock();
    try {
      long nanos = config.checkpointInterval().toNanos();
      while (!stopping && nanos > 0) {
        nanos = stopped.awaitNanos(nanos);
      }
      return stopping;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      stopping = true;
      stopped.signalAll();
    } finally {
      lock.unlock();
    }
    Outcomes.join(thread);
    Sessions.closeQuietly(session);
  }
}
