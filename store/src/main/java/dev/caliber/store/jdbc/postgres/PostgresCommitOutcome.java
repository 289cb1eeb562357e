package dev.caliber.store.jdbc.postgres;

import dev.caliber.kernel.SystemAccess;
import dev.caliber.store.ColumnType;
import dev.caliber.store.Commit;
import dev.caliber.store.StoreException;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Query for the outcome of a commit whose answer was lost. */
final class PostgresCommitOutcome {

  /*
   * pg_xact_status alone is wrong after a crash: a transaction that was lost with the server's
   * memory frees its number, the next transaction gets that number, and its success would be taken
   * for ours. So a number that has committed counts only together with our own entry of the feed,
   * written by it. The two questions are two statements: the second one's snapshot then contains
   * whatever the first saw.
   */
  private static final String STATUS = "SELECT pg_xact_status(?::xid8)";

  private static final String WITNESS =
      """
      SELECT EXISTS (SELECT 1 FROM store_feed WHERE "space" = ? AND "sequence" = ?
      AND "time" = ? AND xmin = ?::xid8::xid)""";

  /**
   * Refutes our commit: another one has its sequence in the feed, or the space's head is before it.
   */
  private static final String REFUTED =
      """
      SELECT EXISTS (SELECT 1 FROM store_feed WHERE "space" = ? AND "sequence" = ?)
      OR EXISTS (SELECT 1 FROM store_space WHERE "name" = ? AND "sequence" < ?)""";

  /** Error code of the server for a transaction number that it has not assigned. */
  private static final String IN_THE_FUTURE = "22023";

  private static final Duration PAUSE_BOUND = Duration.ofMillis(50);

  private final Supplier<DatabaseSession> keepers;
  private final Duration patience;

  PostgresCommitOutcome(Supplier<DatabaseSession> keepers, Duration patience) {
    this.keepers = keepers;
    this.patience = patience;
  }

  /**
   * Asks until the server answers; throws {@code COMMIT_OUTCOME_UNKNOWN} when it does not in time.
   */
  boolean hasCommitted(String transaction, Commit ours, SQLException failure) {
    long begun = nowNanos();
    do {
      Optional<Boolean> outcome = askServer(transaction, ours);
      if (outcome.isPresent()) {
        return outcome.get();
      }
      LockSupport.parkNanos(PAUSE_BOUND.toNanos());
    } while (nowNanos() - begun < patience.toNanos());
    throw StoreException.commitUnknown(
        "The connection to the database broke during a commit", failure);
  }

  @SystemAccess("measures how long a real server has been silent, which a test's clock cannot know")
  private static long nowNanos() {
    return System.nanoTime();
  }

  /** Empty while the server does not answer, or still regards our transaction as running. */
  private Optional<Boolean> askServer(String transaction, Commit ours) {
    try (DatabaseSession databaseSession = keepers.get()) {
      return switch (transactionStatus(databaseSession, transaction)) {
        case "committed" -> verifyFeedEntry(databaseSession, transaction, ours);
        case "aborted" -> Optional.of(false);
        default -> Optional.empty();
      };
    } catch (SQLException | StoreException _) {
      return Optional.empty();
    }
  }

  private static String transactionStatus(DatabaseSession databaseSession, String transaction)
      throws SQLException {
    PreparedStatement statement = databaseSession.statement(STATUS);
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

  private static Optional<Boolean> verifyFeedEntry(
      DatabaseSession databaseSession, String transaction, Commit ours) throws SQLException {
    PreparedStatement witness = databaseSession.statement(WITNESS);
    int position = 1;
    witness.setString(position++, ours.space().value());
    witness.setLong(position++, ours.sequence());
    databaseSession.dialect().bind(witness, position++, ColumnType.INSTANT, ours.time());
    witness.setString(position, transaction);
    if (isTrue(witness)) {
      return Optional.of(true);
    }
    PreparedStatement refuted = databaseSession.statement(REFUTED);
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
