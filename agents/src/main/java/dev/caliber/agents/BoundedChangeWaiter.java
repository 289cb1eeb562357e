package dev.caliber.agents;

import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseQueueEntry;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.SystemAccess;
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

/**
 * Bounded waiting of callers for messages and leases; each occupies one of a limited number of
 * places.
 */
final class BoundedChangeWaiter {
  private final ChangeFeed feed;
  private final AgentsConfig.BlockingCallSettings rules;
  private final Semaphore places;
  private final Set<Semaphore> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  BoundedChangeWaiter(ChangeFeed feed, AgentsConfig.BlockingCallSettings rules) {
    this.feed = feed;
    this.rules = rules;
    this.places = new Semaphore(rules.maxCalls());
  }

  /**
   * Condition that wakes a caller.
   *
   * @param tables tables whose changes may fulfil it
   * @param kinds the kinds of these changes
   * @param pollInterval how often to check without such a change
   */
  record WakeCondition(
      SpaceId space, List<Table<?>> tables, Set<ChangeKind> kinds, Duration pollInterval) {
    /** Wakes when a message is sent or returned. */
    static WakeCondition forMail(SpaceId space, Duration again) {
      return new WakeCondition(
          space, List.of(Message.TABLE), EnumSet.of(ChangeKind.CREATED, ChangeKind.UPDATED), again);
    }

    /** Wakes when a holder or a queue entry is deleted. */
    static WakeCondition forLease(SpaceId space, Duration again) {
      return new WakeCondition(
          space,
          List.of(Lease.TABLE, LeaseQueueEntry.TABLE),
          EnumSet.of(ChangeKind.DELETED),
          again);
    }
  }

  /** Checks now and after each relevant change; empty once the time is over. */
  <T> Optional<T> await(WakeCondition wakeCondition, Duration atMost, Supplier<Optional<T>> look)
      throws InterruptedException {
    if (atMost.isNegative() || atMost.compareTo(rules.maxWait()) > 0) {
      throw KernelException.invalidValue(
          "time to wait", "at most " + rules.maxWait(), atMost.toString());
    }
    if (!places.tryAcquire()) {
      throw AgentsException.tooManyWaiting(rules.maxCalls());
    }
    try {
      return awaitChange(wakeCondition, atMost, look);
    } finally {
      places.release();
    }
  }

  @SystemAccess("a caller waits in the time of its process, whatever clock agents live by")
  private <T> Optional<T> awaitChange(
      WakeCondition wakeCondition, Duration atMost, Supplier<Optional<T>> look)
      throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    Semaphore wakeups = new Semaphore(0);
    waiting.add(wakeups);
    try (ChangeFeed.FeedSubscription _ = watch(wakeCondition, wakeups)) {
      Optional<T> found = look.get();
      long rest = end - System.nanoTime();
      while (found.isEmpty() && rest > 0 && !closed) {
        boolean _ =
            wakeups.tryAcquire(
                Math.min(rest, wakeCondition.pollInterval().toNanos()), TimeUnit.NANOSECONDS);
        wakeups.drainPermits();
        found = look.get();
        rest = end - System.nanoTime();
      }
      return found;
    } finally {
      waiting.remove(wakeups);
    }
  }

  private ChangeFeed.FeedSubscription watch(WakeCondition wakeCondition, Semaphore wakeups) {
    List<ChangeFeed.FeedSubscription> watches =
        wakeCondition.tables().stream()
            .map(
                table ->
                    feed.subscribe(
                        table,
                        wakeCondition.kinds(),
                        space -> wakeUp(space.equals(wakeCondition.space()), wakeups)))
            .toList();
    return () -> watches.forEach(ChangeFeed.FeedSubscription::close);
  }

  /** Ends all waiting calls: they return as if their time were over. */
  void close() {
    closed = true;
    waiting.forEach(Semaphore::release);
  }

  private static void wakeUp(boolean here, Semaphore wakeups) {
    if (here) {
      wakeups.release();
    }
  }
}
