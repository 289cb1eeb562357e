package dev.caliber.store;

import dev.caliber.kernel.Seam;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Finds out what became of a commit whose answer was lost, by asking the server. */
final class PostgresOutcome {

  /*
   * pg_xact_status alone would lie after a crash. A transaction that was lost with the server's memory
   * leaves its number free, the next one gets it, and its success would be taken for ours. So a number
   * that has committed counts only together with our own entry of the feed, written by it. The two
   * questions are two statements: the second one's snapshot then contains whatever the first saw.
   */
  private static final String STATUS = "SELECT pg_xact_status(?::xid8)";

  private static final String WITNESS =
      """
      SELECT EXISTS (SELECT 1 FROM store_feed WHERE "space" = ? AND "sequence" = ?
      AND "time" = ? AND xmin = ?::xid8::xid)""";

  /** Another commit has our place in the feed, or nobody has it yet. */
  private static final String REFUTED =
      """
      SELECT EXISTS (SELECT 1 FROM store_feed WHERE "space" = ? AND "sequence" = ?)
      OR EXISTS (SELECT 1 FROM store_space WHERE "name" = ? AND "sequence" < ?)""";

  /** The server's answer to a number that it has not given out. */
  private static final String IN_THE_FUTURE = "22023";

  private static final Duration PAUSE_BOUND = Duration.ofMillis(50);

  private final Supplier<Session> keepers;
  private final Duration patience;

  PostgresOutcome(Supplier<Session> keepers, Duration patience) {
    this.keepers = keepers;
    this.patience = patience;
  }

  /** Asks until the server answers; {@code COMMIT_UNKNOWN} when it does not in time. */
  boolean committed(String transaction, Commit ours, SQLException failure) {
    long begun = nanos();
    do {
      Optional<Boolean> outcome = ask(transaction, ours);
      if (outcome.isPresent()) {
        return outcome.get();
      }
      LockSupport.parkNanos(PAUSE_BOUND.toNanos());
    } while (nanos() - begun < patience.toNanos());
    throw StoreException.commitUnknown("The connection broke while committing", failure);
  }

  @Seam("measures how long a real server has been silent, which a test's clock cannot know")
  private static long nanos() {
    return System.nanoTime();
  }

  /** Empty while the server does not answer or has not yet noticed that we are gone. */
  private Optional<Boolean> ask(String transaction, Commit ours) {
    try (Session session = keepers.get()) {
      return switch (status(session, transaction)) {
        case "committed" -> committedByUs(session, transaction, ours);
        case "aborted" -> Optional.of(false);
        default -> Optional.empty();
      };
    } catch (SQLException | StoreException _) {
      return Optional.empty();
    }
  }

  private static String status(Session session, String transaction) throws SQLException {
    PreparedStatement statement = session.statement(STATUS);
    statement.setString(1, transaction);
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return String.valueOf(rows.getString(1));
    } catch (SQLException e) {
      if (IN_THE_FUTURE.equals(e.getSQLState())) {
        return "aborted";
      }
      throw e;
    }
  }

  private static Optional<Boolean> committedByUs(Session session, String transaction, Commit ours)
      throws SQLException {
    PreparedStatement witness = session.statement(WITNESS);
    int position = 1;
    witness.setString(position++, ours.space().value());
    witness.setLong(position++, ours.sequence());
    session.dialect().bind(witness, position++, ColumnType.INSTANT, ours.time());
    witness.setString(position, transaction);
    if (isTrue(witness)) {
      return Optional.of(true);
    }
    PreparedStatement refuted = session.statement(REFUTED);
    position = 1;
    refuted.setString(position++, ours.space().value());
    refuted.setLong(position++, ours.sequence());
    refuted.setString(position++, ours.space().value());
    refuted.setLong(position, ours.sequence());
    return isTrue(refuted) ? Optional.of(false) : Optional.empty();
  }

  private static boolean isTrue(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getBoolean(1);
    }
  }
}
