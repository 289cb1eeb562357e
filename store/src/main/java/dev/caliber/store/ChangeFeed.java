package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The commits of each space in commit order: nothing skipped, nothing shown late, resumable from a
 * cursor, also by another process.
 */
public interface ChangeFeed {

  /** Returns the position after the last commit of the space. */
  FeedCursor head(SpaceId space);

  /** Returns the position before the oldest commit that is still in the feed. */
  FeedCursor oldestCursor(SpaceId space);

  /**
   * Returns at most {@code limit} commits after the cursor. {@code FEED_TRUNCATED} if some of them
   * have been trimmed or the epoch has changed: the follower then rebuilds from the records.
   */
  List<Commit> read(SpaceId space, FeedCursor after, int limit);

  /**
   * Waits until there are commits after the cursor and returns them like {@link #read}; returns an
   * empty list after {@code atMost}.
   */
  List<Commit> await(SpaceId space, FeedCursor after, int limit, Duration atMost)
      throws InterruptedException;

  /**
   * Calls the listener whenever a commit has touched this table here, or another process may have
   * committed in a space. It is called on a thread of the store and must return at once.
   */
  default FeedSubscription subscribe(Table<?> table, Consumer<SpaceId> listener) {
    return subscribe(table, EnumSet.allOf(ChangeKind.class), listener);
  }

  /**
   * Calls the listener as above, but in this process only for changes of these kinds. A commit of
   * another process may contain changes of any kind.
   */
  FeedSubscription subscribe(Table<?> table, Set<ChangeKind> kinds, Consumer<SpaceId> listener);

  /** Registration of a listener; closing it removes the listener. */
  interface FeedSubscription extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Records the position up to which a named follower has read. The feed keeps all later commits
   * for it.
   */
  void acknowledge(SpaceId space, String follower, FeedCursor position);

  Optional<FeedCursor> followerCursor(SpaceId space, String follower);

  /** Forgets a follower, so that the feed is no longer kept for it. */
  void forgetFollower(SpaceId space, String follower);

  /**
   * Drops commits that are past the configured retention and that every live follower has seen;
   * returns how many.
   */
  long trim(SpaceId space);
}
