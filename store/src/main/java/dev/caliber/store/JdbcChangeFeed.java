package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
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

/** The feed as its table says, woken by signals. */
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
  private final SharedReads reads;
  private final StoreConfig.Feed limits;
  private final Clock clock;

  JdbcChangeFeed(
      JdbcRecordStore store,
      FeedSignals signals,
      SharedReads reads,
      StoreConfig.Feed limits,
      Clock clock) {
    this.store = store;
    this.signals = signals;
    this.reads = reads;
    this.limits = limits;
    this.clock = clock;
  }

  @Override
  public FeedCursor head(SpaceId space) {
    SpaceHead head = store.onSnapshot(space, session -> requireHead(session, space));
    return new FeedCursor(head.epoch(), head.sequence());
  }

  @Override
  public FeedCursor oldest(SpaceId space) {
    return store.onSnapshot(space, session -> oldest(session, space));
  }

  @Override
  public List<Commit> read(SpaceId space, FeedCursor after, int limit) {
    if (limit < 1 || limit > limits.pageLimit()) {
      throw new IllegalArgumentException(
          "1 to %d commits are read at once (store.feed.page-limit), not %d"
              .formatted(limits.pageLimit(), limit));
    }
    return store.onSnapshot(
        space,
        session -> {
          SpaceHead head = requireHead(session, space);
          List<Commit> commits = FeedSql.read(session, space, after.sequence(), limit);
          boolean whole =
              commits.isEmpty()
                  ? after.sequence() == head.sequence()
                  : commits.getFirst().sequence() == after.sequence() + 1;
          if (!whole || after.epoch() != head.epoch()) {
            throw StoreException.feedTruncated(space, after, oldest(session, space));
          }
          return commits;
        });
  }

  @Override
  public List<Commit> await(SpaceId space, FeedCursor after, int limit, Duration atMost)
      throws InterruptedException {
    store.requireSpace(space); // or every name that anybody asks for would be kept
    if (!atMost.isPositive()) {
      return read(space, after, limit);
    }
    Duration left = atMost;
    SharedReads.Found found = shared(space, after, limit, 0);
    while (found.commits().isEmpty() && left.isPositive()) {
      Duration pause = shorter(left, limits.pollInterval());
      left = left.minus(signals.await(space, found.wish().changes(), pause));
      found = shared(space, after, limit, found.number());
    }
    return found.commits();
  }

  private SharedReads.Found shared(SpaceId space, FeedCursor after, int limit, long newerThan)
      throws InterruptedException {
    SharedReads.Wish wish = new SharedReads.Wish(after, limit, signals.count(space), newerThan);
    return reads.read(space, wish, () -> read(space, after, limit));
  }

  @Override
  public Watch watch(Table<?> table, Set<ChangeKind> kinds, Consumer<SpaceId> listener) {
    return signals.watch(table, kinds, listener);
  }

  @Override
  public void acknowledge(SpaceId space, String follower, FeedCursor position) {
    store.upkeep(
        space,
        session -> {
          PreparedStatement statement = session.statement(ACKNOWLEDGE);
          int at = 1;
          statement.setString(at++, space.value());
          statement.setString(at++, follower);
          statement.setLong(at++, position.epoch());
          statement.setLong(at++, position.sequence());
          session.dialect().bind(statement, at, ColumnType.INSTANT, clock.instant());
          statement.executeUpdate();
        });
  }

  @Override
  public Optional<FeedCursor> position(SpaceId space, String follower) {
    return store.onSnapshot(
        space,
        session -> {
          PreparedStatement statement = session.statement(POSITION);
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
  public void forget(SpaceId space, String follower) {
    store.upkeep(
        space,
        session -> {
          PreparedStatement statement = session.statement(FORGET);
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
      store.upkeep(space, session -> trimmed[0] = trimSome(session, space));
      total += trimmed[0];
    } while (trimmed[0] == limits.pageLimit());
    return total;
  }

  /** At most a page of commits, so that writers wait for a short time only. */
  private long trimSome(Session session, SpaceId space) throws SQLException {
    PreparedStatement silent = session.statement(FORGET_SILENT);
    silent.setString(1, space.value());
    Instant now = clock.instant();
    session.dialect().bind(silent, 2, ColumnType.INSTANT, now.minus(limits.followerExpiry()));
    silent.executeUpdate();

    SpaceHead head = requireHead(session, space);
    long old = firstRecent(session, space, head, now.minus(limits.retention())) - 1;
    PreparedStatement statement = session.statement(TRIM);
    statement.setString(1, space.value());
    long some = oldest(session, space).sequence() + limits.pageLimit();
    statement.setLong(2, Math.min(some, Math.min(old, slowest(session, space, head))));
    return statement.executeUpdate();
  }

  /** The first commit that is not past retention: only what lies before it may go. */
  private static long firstRecent(Session session, SpaceId space, SpaceHead head, Instant cutoff)
      throws SQLException {
    PreparedStatement statement = session.statement(FIRST_RECENT);
    statement.setString(1, space.value());
    session.dialect().bind(statement, 2, ColumnType.INSTANT, cutoff);
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next() ? rows.getLong(1) : head.sequence() + 1;
    }
  }

  /** How far the slowest live follower is; the head when there is none. */
  private static long slowest(Session session, SpaceId space, SpaceHead head) throws SQLException {
    PreparedStatement statement = session.statement(SLOWEST);
    statement.setString(1, space.value());
    statement.setLong(2, head.epoch());
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      long slowest = rows.getLong(1);
      return rows.wasNull() ? head.sequence() : slowest;
    }
  }

  private static FeedCursor oldest(Session session, SpaceId space) throws SQLException {
    SpaceHead head = requireHead(session, space);
    PreparedStatement statement = session.statement(OLDEST);
    statement.setString(1, space.value());
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      long first = rows.getLong(1);
      return new FeedCursor(head.epoch(), rows.wasNull() ? head.sequence() : first - 1);
    }
  }

  private static SpaceHead requireHead(Session session, SpaceId space) throws SQLException {
    return session.head(space).orElseThrow(() -> StoreException.unknownSpace(space));
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
