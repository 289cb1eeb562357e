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

  /** The end of the space's feed as of now. */
  FeedCursor head(SpaceId space);

  /** The place before the oldest commit that is still kept. */
  FeedCursor oldest(SpaceId space);

  /**
   * At most {@code limit} commits after the cursor. {@code FEED_TRUNCATED} if some of them are no
   * longer kept or the epoch has changed: then rebuild from the records.
   */
  List<Commit> read(SpaceId space, FeedCursor after, int limit);

  /** Like {@link #read}, but waits for a commit when there is none; empty after {@code atMost}. */
  List<Commit> await(SpaceId space, FeedCursor after, int limit, Duration atMost)
      throws InterruptedException;

  /**
   * Calls the listener whenever a commit has touched this table here, or another process may have
   * committed in a space. It is called on a thread of the store and must return at once.
   */
  default Watch watch(Table<?> table, Consumer<SpaceId> listener) {
    return watch(table, EnumSet.allOf(ChangeKind.class), listener);
  }

  /** The same for changes of these kinds alone; what another process did may be of any kind. */
  Watch watch(Table<?> table, Set<ChangeKind> kinds, Consumer<SpaceId> listener);

  /** A listener that can be taken back. */
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }

  /** Records how far a named follower has come; the feed is kept for it from there on. */
  void acknowledge(SpaceId space, String follower, FeedCursor position);

  Optional<FeedCursor> position(SpaceId space, String follower);

  /** Forgets a follower, so that the feed is no longer kept for it. */
  void forget(SpaceId space, String follower);

  /**
   * Drops commits that are past the configured retention and that every live follower has seen;
   * returns how many.
   */
  long trim(SpaceId space);
}
