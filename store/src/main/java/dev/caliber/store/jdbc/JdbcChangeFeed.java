package dev.caliber.store.jdbc;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.ColumnType;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.FeedSql;
import dev.caliber.store.jdbc.sql.SpaceHead;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Change feed that reads its table and is woken by signals. */
final class JdbcChangeFeed implements ChangeFeed {

  private static final String OLDEST =
      """
      SELECT min("sequence") FROM store_feed WHERE "space" = ?""";

  private static final String POSITION =
      """
      SELECT "epoch", "sequence" FROM store_follower WHERE "space" = ? AND "name" = ?""";

  private static final String ACKNOWLEDGE =
      """
      INSERT INTO store_follower ("space", "name", "epoch", "sequence", "updated_at")
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT ("space", "name") DO UPDATE SET "epoch" = excluded."epoch",
      "sequence" = excluded."sequence", "updated_at" = excluded."updated_at\"""";

  private static final String FORGET =
      """
      DELETE FROM store_follower WHERE "space" = ? AND "name" = ?""";

  private static final String FORGET_SILENT =
      """
      DELETE FROM store_follower WHERE "space" = ? AND "updated_at" < ?""";

  private static final String SLOWEST =
      """
      SELECT min("sequence") FROM store_follower WHERE "space" = ? AND "epoch" = ?""";

  private static final String FIRST_RECENT =
      """
      SELECT "sequence" FROM store_feed WHERE "space" = ? AND "time" >= ?
      ORDER BY "sequence" LIMIT 1""";

  private static final String TRIM =
      """
      DELETE FROM store_feed WHERE "space" = ? AND "sequence" <= ?""";

  private final JdbcRecordStore store;
  private final FeedSignals signals;
  private final SharedFeedReader reads;
  private final StoreConfig.FeedSettings limits;
  private final Clock clock;

  JdbcChangeFeed(
      JdbcRecordStore store,
      FeedSignals signals,
      SharedFeedReader reads,
      StoreConfig.FeedSettings limits,
      Clock clock) {
    this.store = store;
    this.signals = signals;
    this.reads = reads;
    this.limits = limits;
    this.clock = clock;
  }

  @Override
  public FeedCursor head(SpaceId space) {
    SpaceHead head =
        store.readSnapshot(space, databaseSession -> requireHead(databaseSession, space));
    return new FeedCursor(head.epoch(), head.sequence());
  }

  @Override
  public FeedCursor oldestCursor(SpaceId space) {
    return store.readSnapshot(space, databaseSession -> oldestCursor(databaseSession, space));
  }

  @Override
  public List<Commit> read(SpaceId space, FeedCursor after, int limit) {
    if (limit < 1 || limit > limits.pageLimit()) {
      throw new IllegalArgumentException(
          "limit: expected 1 to %d commits (store.feed.page-limit), found %d"
              .formatted(limits.pageLimit(), limit));
    }
    return store.readSnapshot(
        space,
        databaseSession -> {
          SpaceHead head = requireHead(databaseSession, space);
          List<Commit> commits = FeedSql.read(databaseSession, space, after.sequence(), limit);
          boolean whole =
              commits.isEmpty()
                  ? after.sequence() == head.sequence()
                  : commits.getFirst().sequence() == after.sequence() + 1;
          if (!whole || after.epoch() != head.epoch()) {
            throw StoreException.feedTruncated(space, after, oldestCursor(databaseSession, space));
          }
          return commits;
        });
  }

  @Override
  public List<Commit> await(SpaceId space, FeedCursor after, int limit, Duration atMost)
      throws InterruptedException {
    store.requireSpace(space); // else a signal would be kept for every made-up name
    if (!atMost.isPositive()) {
      return read(space, after, limit);
    }
    Duration left = atMost;
    SharedFeedReader.FeedReadResult feedReadResult = readShared(space, after, limit, 0);
    while (feedReadResult.commits().isEmpty() && left.isPositive()) {
      Duration pause = shorter(left, limits.pollInterval());
      left = left.minus(signals.await(space, feedReadResult.request().changeCount(), pause));
      feedReadResult = readShared(space, after, limit, feedReadResult.number());
    }
    return feedReadResult.commits();
  }

  private SharedFeedReader.FeedReadResult readShared(
      SpaceId space, FeedCursor after, int limit, long newerThan) throws InterruptedException {
    SharedFeedReader.FeedReadRequest feedReadRequest =
        new SharedFeedReader.FeedReadRequest(after, limit, signals.changeCount(space), newerThan);
    return reads.read(space, feedReadRequest, () -> read(space, after, limit));
  }

  @Override
  public FeedSubscription subscribe(
      Table<?> table, Set<ChangeKind> kinds, Consumer<SpaceId> listener) {
    return signals.subscribe(table, kinds, listener);
  }

  @Override
  public void acknowledge(SpaceId space, String follower, FeedCursor position) {
    store.runMaintenance(
        space,
        databaseSession -> {
          PreparedStatement statement = databaseSession.statement(ACKNOWLEDGE);
          int at = 1;
          statement.setString(at++, space.value());
          statement.setString(at++, follower);
          statement.setLong(at++, position.epoch());
          statement.setLong(at++, position.sequence());
          databaseSession.dialect().bind(statement, at, ColumnType.INSTANT, clock.instant());
          statement.executeUpdate();
        });
  }

  @Override
  public Optional<FeedCursor> followerCursor(SpaceId space, String follower) {
    return store.readSnapshot(
        space,
        databaseSession -> {
          PreparedStatement statement = databaseSession.statement(POSITION);
          statement.setString(1, space.value());
          statement.setString(2, follower);
          try (ResultSet rows = statement.executeQuery()) {
            return rows.next()
                ? Optional.of(new FeedCursor(rows.getLong(1), rows.getLong(2)))
                : Optional.<FeedCursor>empty();
          }
        });
  }

  @Override
  public void forgetFollower(SpaceId space, String follower) {
    store.runMaintenance(
        space,
        databaseSession -> {
          PreparedStatement statement = databaseSession.statement(FORGET);
          statement.setString(1, space.value());
          statement.setString(2, follower);
          statement.executeUpdate();
        });
  }

  @Override
  public long trim(SpaceId space) {
    long total = 0;
    long[] trimmed = new long[1];
    do {
      store.runMaintenance(space, databaseSession -> trimmed[0] = trimPage(databaseSession, space));
      total += trimmed[0];
    } while (trimmed[0] == limits.pageLimit());
    return total;
  }

  /** Deletes at most one page of commits, so that writers wait for a short time only. */
  private long trimPage(DatabaseSession databaseSession, SpaceId space) throws SQLException {
    PreparedStatement silent = databaseSession.statement(FORGET_SILENT);
    silent.setString(1, space.value());
    Instant now = clock.instant();
    databaseSession
        .dialect()
        .bind(silent, 2, ColumnType.INSTANT, now.minus(limits.followerExpiry()));
    silent.executeUpdate();

    SpaceHead head = requireHead(databaseSession, space);
    long old = firstRetained(databaseSession, space, head, now.minus(limits.retention())) - 1;
    PreparedStatement statement = databaseSession.statement(TRIM);
    statement.setString(1, space.value());
    long some = oldestCursor(databaseSession, space).sequence() + limits.pageLimit();
    statement.setLong(
        2, Math.min(some, Math.min(old, slowestFollower(databaseSession, space, head))));
    return statement.executeUpdate();
  }

  /** Returns the first commit within the retention; only earlier ones may be deleted. */
  private static long firstRetained(
      DatabaseSession databaseSession, SpaceId space, SpaceHead head, Instant cutoff)
      throws SQLException {
    PreparedStatement statement = databaseSession.statement(FIRST_RECENT);
    statement.setString(1, space.value());
    databaseSession.dialect().bind(statement, 2, ColumnType.INSTANT, cutoff);
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next() ? rows.getLong(1) : head.sequence() + 1;
    }
  }

  /** Returns the position of the slowest live follower, or the head if there is none. */
  private static long slowestFollower(
      DatabaseSession databaseSession, SpaceId space, SpaceHead head) throws SQLException {
    PreparedStatement statement = databaseSession.statement(SLOWEST);
    statement.setString(1, space.value());
    statement.setLong(2, head.epoch());
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      long slowest = rows.getLong(1);
      return rows.wasNull() ? head.sequence() : slowest;
    }
  }

  private static FeedCursor oldestCursor(DatabaseSession databaseSession, SpaceId space)
      throws SQLException {
    SpaceHead head = requireHead(databaseSession, space);
    PreparedStatement statement = databaseSession.statement(OLDEST);
    statement.setString(1, space.value());
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      long first = rows.getLong(1);
      return new FeedCursor(head.epoch(), rows.wasNull() ? head.sequence() : first - 1);
    }
  }

  private static SpaceHead requireHead(DatabaseSession databaseSession, SpaceId space)
      throws SQLException {
    return databaseSession.head(space).orElseThrow(() -> StoreException.unknownSpace(space));
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
