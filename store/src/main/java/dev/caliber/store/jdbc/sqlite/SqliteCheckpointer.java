package dev.caliber.store.jdbc.sqlite;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.EngineListener;
import dev.caliber.store.jdbc.sql.PeriodicTask;
import dev.caliber.store.jdbc.sql.ReaderSessionPool;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Background thread that writes SQLite's log back into the file.
 *
 * <p>It does most of it beside the writer. But the log grows while writes continue, and only a log
 * that has been written back to its end starts over; so the last few pages are written back on the
 * writer's thread, between two groups, when the log does not grow.
 */
final class SqliteCheckpointer implements AutoCloseable {

  private static final String LOOK = "PRAGMA wal_checkpoint(NOOP)";
  private static final String WRITE_BACK = "PRAGMA wal_checkpoint(PASSIVE)";
  private static final String TRUNCATE = "PRAGMA wal_checkpoint(TRUNCATE)";

  /**
   * Disables waiting: a reader of an earlier state holds the log, and the writer must not wait for
   * that reader.
   */
  private static final String NO_WAIT = "PRAGMA busy_timeout = 0";

  private static final String WAIT = "PRAGMA busy_timeout = " + SqliteEngine.BUSY_BOUND_MILLIS;

  /**
   * Longest wait of a caller for readers until the log is empty; after that it is emptied later.
   */
  private static final Duration TRUNCATE_BOUND = Duration.ofSeconds(5);

  /**
   * Divisor of the checkpoint threshold that gives the number of remaining pages at which the
   * writer is asked to write them back.
   */
  private static final int REMAINDER_DIVISOR = 16;

  private static final int ROUNDS = 4;

  private final DatabaseSession databaseSession;
  private final StoreConfig.SqliteSettings config;
  private final EngineListener events;
  private final PeriodicTask task;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition truncated = lock.newCondition();

  /** Number of requests to empty the log, and how many of them are known to be fulfilled. */
  @GuardedBy("lock")
  private long wanted;

  @GuardedBy("lock")
  private long reached;

  @GuardedBy("lock")
  private boolean closed;

  private SqliteCheckpointer(
      DatabaseSession databaseSession, StoreConfig.SqliteSettings config, EngineListener events) {
    this.databaseSession = databaseSession;
    this.config = config;
    this.events = events;
    this.task =
        new PeriodicTask("checkpoints", config.checkpointInterval(), this::checkpointIfNeeded);
  }

  static SqliteCheckpointer start(
      DatabaseSession databaseSession, StoreConfig.SqliteSettings config, EngineListener events) {
    SqliteCheckpointer checkpoints = new SqliteCheckpointer(databaseSession, config, events);
    checkpoints.prepare();
    checkpoints.task.start();
    return checkpoints;
  }

  /** Prepares the statements, so that the first checkpoint does not have to compile them. */
  private void prepare() {
    try {
      databaseSession.statement(LOOK);
      databaseSession.statement(WRITE_BACK);
    } catch (SQLException e) {
      throw databaseSession.dialect().translate("Preparing checkpoints", e);
    }
    events.runBetweenWrites(
        writer -> {
          writer.statement(WRITE_BACK);
          writer.statement(TRUNCATE);
          writer.statement(NO_WAIT);
          writer.statement(WAIT);
        });
  }

  /**
   * Writes the log back and empties it, so that it holds no page of an earlier state. Returns false
   * if a reader of such a state did not end in time: the log is then emptied after that reader.
   */
  boolean truncate() {
    lock.lock();
    try {
      long mine = ++wanted;
      task.runNow();
      long nanos = TRUNCATE_BOUND.toNanos();
      while (reached < mine && !closed && nanos > 0) {
        nanos = truncated.awaitNanos(nanos);
      }
      return reached >= mine;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the number of the latest request to empty the log that is not fulfilled; 0 if there is
   * none.
   */
  private long pendingTruncation() {
    lock.lock();
    try {
      return wanted > reached ? wanted : 0;
    } finally {
      lock.unlock();
    }
  }

  private void truncate(long target) throws SQLException {
    if (writeBack(0) > smallRemainder()) {
      return; // a reader holds the log; the writer would write all of it back while other writes
      // wait
    }
    AtomicBoolean empty = new AtomicBoolean();
    events.runBetweenWrites(
        writer -> {
          writer.execute(NO_WAIT);
          try {
            empty.set(walState(writer, TRUNCATE).pages() == 0);
          } finally {
            writer.execute(WAIT);
          }
        });
    if (empty.get()) {
      lock.lock();
      try {
        reached = Math.max(reached, target);
        truncated.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Number of pages in the log, and how many of them are already in the file as well. */
  private record WalState(long pages, long writtenBack) {
    long unwrittenPages() {
      return pages - writtenBack;
    }
  }

  private void checkpointIfNeeded() {
    try {
      long target = pendingTruncation();
      if (target > 0) {
        truncate(target);
      } else if (walState(databaseSession, LOOK).unwrittenPages() >= config.checkpointPages()) {
        checkpoint();
      }
    } catch (SQLException e) {
      throw databaseSession.dialect().translate("A checkpoint", e);
    }
  }

  private void checkpoint() throws SQLException {
    writeBack(smallRemainder());
    events.runBetweenWrites(writer -> walState(writer, WRITE_BACK));
  }

  private long smallRemainder() {
    return config.checkpointPages() / REMAINDER_DIVISOR;
  }

  /**
   * Writes pages back beside the writer until few are left or the writer adds them as fast; returns
   * how many are left.
   */
  private long writeBack(long small) throws SQLException {
    long remainder = walState(databaseSession, WRITE_BACK).unwrittenPages();
    for (int round = 1; round < ROUNDS && remainder > small; round++) {
      remainder = walState(databaseSession, WRITE_BACK).unwrittenPages();
    }
    return remainder;
  }

  private static WalState walState(DatabaseSession databaseSession, String pragma)
      throws SQLException {
    PreparedStatement statement = databaseSession.statement(pragma);
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return new WalState(rows.getLong(2), rows.getLong(3));
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      truncated.signalAll();
    } finally {
      lock.unlock();
    }
    task.close();
    ReaderSessionPool.closeQuietly(databaseSession);
  }
}
