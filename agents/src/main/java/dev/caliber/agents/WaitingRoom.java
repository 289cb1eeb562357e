package dev.caliber.agents;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Seam;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.Table;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Where callers wait for something to come, each for a bounded time and in a place of its own. */
final class WaitingRoom {
  private final ChangeFeed feed;
  private final AgentsConfig.Awaiting rules;
  private final Semaphore places;
  private final Set<Semaphore> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  WaitingRoom(ChangeFeed feed, AgentsConfig.Awaiting rules) {
    this.feed = feed;
    this.rules = rules;
    this.places = new Semaphore(rules.places());
  }

  /**
   * What is waited for.
   *
   * @param tables what brings it is written in one of these
   * @param kinds the changes that may bring it
   * @param again how often to look although nothing like that was written
   */
  record Wanted(SpaceId space, List<Table<?>> tables, Set<ChangeKind> kinds, Duration again) {
    /** Mail comes by being sent or given back. */
    static Wanted mail(SpaceId space, Duration again) {
      return new Wanted(
          space, List.of(Message.TABLE), EnumSet.of(ChangeKind.CREATED, ChangeKind.UPDATED), again);
    }

    /** A turn comes when somebody who holds it, or stands before one, is gone. */
    static Wanted turn(SpaceId space, Duration again) {
      return new Wanted(
          space, List.of(Lease.TABLE, LeaseWait.TABLE), EnumSet.of(ChangeKind.DELETED), again);
    }
  }

  /** Looks now and whenever it may have come; empty once the time is over. */
  <T> Optional<T> await(Wanted wanted, Duration atMost, Supplier<Optional<T>> look)
      throws InterruptedException {
    if (atMost.isNegative() || atMost.compareTo(rules.longest()) > 0) {
      throw KernelException.invalidValue(
          "time to wait", "at most " + rules.longest(), atMost.toString());
    }
    if (!places.tryAcquire()) {
      throw AgentsException.tooManyWaiting(rules.places());
    }
    try {
      return watching(wanted, atMost, look);
    } finally {
      places.release();
    }
  }

  @Seam("a caller waits in the time of its process, whatever clock agents live by")
  private <T> Optional<T> watching(Wanted wanted, Duration atMost, Supplier<Optional<T>> look)
      throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    Semaphore stirred = new Semaphore(0);
    waiting.add(stirred);
    try (ChangeFeed.Watch _ = watch(wanted, stirred)) {
      Optional<T> found = look.get();
      long rest = end - System.nanoTime();
      while (found.isEmpty() && rest > 0 && !closed) {
        boolean _ =
            stirred.tryAcquire(Math.min(rest, wanted.again().toNanos()), TimeUnit.NANOSECONDS);
        stirred.drainPermits();
        found = look.get();
        rest = end - System.nanoTime();
      }
      return found;
    } finally {
      waiting.remove(stirred);
    }
  }

  private ChangeFeed.Watch watch(Wanted wanted, Semaphore stirred) {
    List<ChangeFeed.Watch> watches =
        wanted.tables().stream()
            .map(
                table ->
                    feed.watch(
                        table,
                        wanted.kinds(),
                        space -> stir(space.equals(wanted.space()), stirred)))
            .toList();
    return () -> watches.forEach(ChangeFeed.Watch::close);
  }

  /** Nobody waits any more: whoever does is answered as if the time were over. */
  void close() {
    closed = true;
    waiting.forEach(Semaphore::release);
  }

  private static void stir(boolean here, Semaphore stirred) {
    if (here) {
      stirred.release();
    }
  }
}
