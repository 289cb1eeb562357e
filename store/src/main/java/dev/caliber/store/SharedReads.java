package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads of the feed that followers share. Many wait at the same place and want the same when the
 * feed grows: the first of them reads, and the others take what it has found. Who stands elsewhere
 * reads meanwhile.
 */
final class SharedReads {
  /** How many places of a space are told apart. */
  private static final int PLACES_BOUND = 16;

  private final ConcurrentHashMap<Spot, Place> places = new ConcurrentHashMap<>();

  private record Spot(SpaceId space, int place) {
    static Spot of(SpaceId space, Wish wish) {
      return new Spot(space, Math.floorMod(wish.after.hashCode() + wish.limit, PLACES_BOUND));
    }
  }

  /**
   * What a follower wants.
   *
   * @param changes how often the space had changed when it looked; what was read before is too old
   * @param newerThan the number of the read that it has seen; 0 for none
   */
  record Wish(FeedCursor after, int limit, long changes, long newerThan) {}

  /** What was found for a wish. */
  record Found(long number, Wish wish, List<Commit> commits) {
    boolean fits(Wish other) {
      return wish.after.equals(other.after)
          && wish.limit == other.limit
          && wish.changes >= other.changes
          && number > other.newerThan;
    }

    /** Its number alone, which fits nobody: the next read has a greater one. */
    Found without() {
      return new Found(number, new Wish(wish.after, 0, 0, 0), List.of());
    }
  }

  /** What somebody has read for such a wish, else what this read finds. */
  Found read(SpaceId space, Wish wish, Supplier<List<Commit>> read) throws InterruptedException {
    return places.computeIfAbsent(Spot.of(space, wish), _ -> new Place()).read(wish, read);
  }

  /**
   * The last read of a place. A read that fails is nobody else's, and a full page is of who is
   * behind and goes on alone.
   */
  private static final class Place {
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable Found last; // written by who holds the lock

    Found read(Wish wish, Supplier<List<Commit>> read) throws InterruptedException {
      Found known = last;
      if (known != null && known.fits(wish)) {
        return known;
      }
      reading.lockInterruptibly();
      try {
        return readAlone(wish, read);
      } finally {
        reading.unlock();
      }
    }

    private Found readAlone(Wish wish, Supplier<List<Commit>> read) {
      Found known = last;
      if (known != null && known.fits(wish)) {
        return known;
      }
      Found next = new Found(known == null ? 1 : known.number() + 1, wish, read.get());
      last = next.commits().size() < wish.limit() ? next : next.without();
      return next;
    }
  }
}
