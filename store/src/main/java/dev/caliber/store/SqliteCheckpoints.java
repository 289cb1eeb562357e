package dev.caliber.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

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

  /**
   * The remainder that the writer is asked to write back, as a share of what starts a checkpoint.
   */
  private static final int REMAINDER_DIVISOR = 16;

  private static final int ROUNDS = 4;

  private final Session session;
  private final StoreConfig.Sqlite config;
  private final EngineEvents events;
  private final Repeating repeating;

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
    events.betweenWrites(writer -> writer.statement(WRITE_BACK));
  }

  /** Pages that are in the log, and how many of them are in the file as well. */
  private record Log(long pages, long writtenBack) {
    long remainder() {
      return pages - writtenBack;
    }
  }

  private void look() {
    try {
      if (log(session, LOOK).remainder() >= config.checkpointPages()) {
        checkpoint();
      }
    } catch (SQLException e) {
      throw session.dialect().translate("A checkpoint", e);
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

  @Override
  public void close() {
    repeating.close();
    Sessions.closeQuietly(session);
  }
}
