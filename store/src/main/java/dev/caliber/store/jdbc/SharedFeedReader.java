package dev.caliber.store.jdbc;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Feed reads that followers share. Many followers wait at the same position and need the same
 * commits when the feed grows: the first of them reads, and the others use its result. Followers at
 * other positions read in parallel.
 */
final class SharedFeedReader {
  /** Number of slots per space into which positions are hashed. */
  private static final int PLACES_BOUND = 16;

  private final ConcurrentHashMap<ReadSlotKey, ReadSlot> slots = new ConcurrentHashMap<>();

  private record ReadSlotKey(SpaceId space, int slot) {
    static ReadSlotKey of(SpaceId space, FeedReadRequest feedReadRequest) {
      return new ReadSlotKey(
          space,
          Math.floorMod(feedReadRequest.after.hashCode() + feedReadRequest.limit, PLACES_BOUND));
    }
  }

  /**
   * Read that a follower asks for.
   *
   * @param changeCount the space's change count when the follower looked; results read before are
   *     too old
   * @param newerThan the number of the read that it has seen; 0 for none
   */
  record FeedReadRequest(FeedCursor after, int limit, long changeCount, long newerThan) {}

  /** Result of one read. */
  record FeedReadResult(long number, FeedReadRequest request, List<Commit> commits) {
    boolean canAnswer(FeedReadRequest other) {
      return request.after.equals(other.after)
          && request.limit == other.limit
          && request.changeCount >= other.changeCount
          && number > other.newerThan;
    }

    /**
     * Returns the result's number alone, so that the next read gets a greater one and no follower
     * uses it.
     */
    FeedReadResult withoutCommits() {
      return new FeedReadResult(number, new FeedReadRequest(request.after, 0, 0, 0), List.of());
    }
  }

  /**
   * Returns the result of an equal request if one is recent enough, else the result of this read.
   */
  FeedReadResult read(SpaceId space, FeedReadRequest feedReadRequest, Supplier<List<Commit>> read)
      throws InterruptedException {
    return slots
        .computeIfAbsent(ReadSlotKey.of(space, feedReadRequest), _ -> new ReadSlot())
        .read(feedReadRequest, read);
  }

  /**
   * Last read of a slot. A failed read is not shared. Neither is a full page: it belongs to a
   * follower that lags behind and continues alone.
   */
  private static final class ReadSlot {
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable FeedReadResult last; // written by the thread that holds the lock

    FeedReadResult read(FeedReadRequest feedReadRequest, Supplier<List<Commit>> read)
        throws InterruptedException {
      FeedReadResult known = last;
      if (known != null && known.canAnswer(feedReadRequest)) {
        return known;
      }
      reading.lockInterruptibly();
      try {
        return readAlone(feedReadRequest, read);
      } finally {
        reading.unlock();
      }
    }

    private FeedReadResult readAlone(FeedReadRequest feedReadRequest, Supplier<List<Commit>> read) {
      FeedReadResult known = last;
      if (known != null && known.canAnswer(feedReadRequest)) {
        return known;
      }
      FeedReadResult next =
          new FeedReadResult(known == null ? 1 : known.number() + 1, feedReadRequest, read.get());
      last = next.commits().size() < feedReadRequest.limit() ? next : next.withoutCommits();
      return next;
    }
  }
}
