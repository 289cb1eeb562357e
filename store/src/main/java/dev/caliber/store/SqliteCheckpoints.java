package dev.caliber.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes the log back into the file, beside the writer.
 *
 * <p>Most of it happens on this thread. But while writes go on the log never ends, and only a log
 * that has been written back to its end starts over; so the last few pages are written back on the
 * writer's thread, between two groups, where the log stands still.
 */
final class SqliteCheckpoints implements AutoCloseable {

  private static final String LOOK = "PRAGMA wal_checkpoint(NOOP)";
  private static final String WRITE_BACK = "PRAGMA wal_checkpoint(PASSIVE)";
  private static final String TRUNCATE = "PRAGMA wal_checkpoint(TRUNCATE)";

  /** A reader of an earlier state keeps the log: the writer does not wait for its end. */
  private static final String NO_WAIT = "PRAGMA busy_timeout = 0";

  private static final String WAIT = "PRAGMA busy_timeout = " + SqliteEngine.BUSY_BOUND_MILLIS;

  /** How long a caller waits for readers until the log is empty; after that it is emptied later. */
  private static final Duration TRUNCATE_BOUND = Duration.ofSeconds(5);

  /**
   * The remainder that the writer is asked to write back, as a share of what starts a checkpoint.
   */
  private static final int REMAINDER_DIVISOR = 16;

  private static final int ROUNDS = 4;

  private final Session session;
  private final StoreConfig.Sqlite config;
  private final EngineEvents events;
  private final Repeating repeating;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition truncated = lock.newCondition();

  /** How often an empty log was wanted, and how often of these it is known to have been empty. */
  @GuardedBy("lock")
  private long wanted;

  @GuardedBy("lock")
  private long reached;

  @GuardedBy("lock")
  private boolean closed;

  private SqliteCheckpoints(Session session, StoreConfig.Sqlite config, EngineEvents events) {
    this.session = session;
    this.config = config;
    this.events = events;
    this.repeating = new Repeating("checkpoints", config.checkpointInterval(), this::look);
  }

  static SqliteCheckpoints start(Session session, StoreConfig.Sqlite config, EngineEvents events) {
    SqliteCheckpoints checkpoints = new SqliteCheckpoints(session, config, events);
    checkpoints.prepare();
    checkpoints.repeating.start();
    return checkpoints;
  }

  /** The first checkpoint may come at any time, and must not be the one that compiles. */
  private void prepare() {
    try {
      session.statement(LOOK);
      session.statement(WRITE_BACK);
    } catch (SQLException e) {
      throw session.dialect().translate("Preparing checkpoints", e);
    }
    events.betweenWrites(
        writer -> {
          writer.statement(WRITE_BACK);
          writer.statement(TRUNCATE);
          writer.statement(NO_WAIT);
          writer.statement(WAIT);
        });
  }

  /**
   * Writes the log back and empties it, so that it holds no page of an earlier state. False if a
   * reader of such a state did not end in time: the log is then emptied after that reader.
   */
  boolean truncate() {
    lock.lock();
    try {
      long mine = ++wanted;
      repeating.hurry();
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

  /** What is wanted by now and was not reached yet; 0 if nothing is. */
  private long pending() {
    lock.lock();
    try {
      return wanted > reached ? wanted : 0;
    } finally {
      lock.unlock();
    }
  }

  private void truncate(long target) throws SQLException {
    if (writeBack(0) > small()) {
      return; // a reader keeps it; the writer would write all of it back, and others would wait
    }
    AtomicBoolean empty = new AtomicBoolean();
    events.betweenWrites(
        writer -> {
          writer.execute(NO_WAIT);
          try {
            empty.set(log(writer, TRUNCATE).pages() == 0);
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

  /** Pages that are in the log, and how many of them are in the file as well. */
  private record Log(long pages, long writtenBack) {
    long remainder() {
      return pages - writtenBack;
    }
  }

  private void look() {
    try {
      long target = pending();
      if (target > 0) {
        truncate(target);
      } else if (log(session, LOOK).remainder() >= config.checkpointPages()) {
        checkpoint();
      }
    } catch (SQLException e) {
      throw session.dialect().translate("A checkpoint", e);
    }
  }

  private void checkpoint() throws SQLException {
    writeBack(small());
    events.betweenWrites(writer -> log(writer, WRITE_BACK));
  }

  private long small() {
    return config.checkpointPages() / REMAINDER_DIVISOR;
  }

  /** Beside the writer, until so little is left or the writer is as fast; returns what is left. */
  private long writeBack(long small) throws SQLException {
    long remainder = log(session, WRITE_BACK).remainder();
    for (int round = 1; round < ROUNDS && remainder > small; round++) {
      remainder = log(session, WRITE_BACK).remainder();
    }
    return remainder;
  }

  private static Log log(Session session, String pragma) throws SQLException {
    PreparedStatement statement = session.statement(pragma);
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return new Log(rows.getLong(2), rows.getLong(3));
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
    repeating.close();
    Sessions.closeQuietly(session);
  }
}
