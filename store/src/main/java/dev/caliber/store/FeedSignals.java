package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wakes those who wait for a space's next commit. */
final class FeedSignals {

  private static final Logger LOG = LoggerFactory.getLogger(FeedSignals.class);

  private final ConcurrentHashMap<SpaceId, Signal> signals = new ConcurrentHashMap<>();

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  private record Listener(String table, Consumer<SpaceId> target) {
    /** A commit stands, whatever its listeners do. */
    void tell(SpaceId space) {
      try {
        target.accept(space);
      } catch (Throwable e) {
        LOG.error("A listener failed", e);
      }
    }
  }

  /** Tells of commits of this process. */
  void committed(List<Commit> commits) {
    for (Commit commit : commits) {
      of(commit.space()).raise();
      for (Listener listener : listeners) {
        if (commit.changes().stream().anyMatch(change -> change.table().equals(listener.table))) {
          listener.tell(commit.space());
        }
      }
    }
  }

  ChangeFeed.Watch watch(Table<?> table, Consumer<SpaceId> target) {
    Listener listener = new Listener(table.name(), target);
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** How often the space has changed; to be read before the feed is. */
  long count(SpaceId space) {
    return of(space).count();
  }

  /** Another process may have committed something, in whatever table. */
  void changed(SpaceId space) {
    Signal signal = signals.get(space);
    if (signal != null) { // nobody has asked yet, or the name is made up
      signal.raise();
    }
    listeners.forEach(listener -> listener.tell(space));
  }

  /** Returns when the count has passed {@code seen}, or after {@code atMost}: how long it took. */
  Duration await(SpaceId space, long seen, Duration atMost) throws InterruptedException {
    return of(space).await(seen, atMost);
  }

  private Signal of(SpaceId space) {
    return signals.computeIfAbsent(space, _ -> new Signal());
  }

  private static final class Signal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();

    /** Raised by who holds the lock, so that nobody who is about to wait misses it. */
    private final AtomicLong count = new AtomicLong();

    long count() {
      return count.get();
    }

    void raise() {
      lock.lock();
      try {
        count.incrementAndGet();
        raised.signalAll();
      } finally {
        lock.unlock();
      }
    }

    Duration await(long seen, Duration atMost) throws InterruptedException {
      long nanos = atMost.toNanos();
      lock.lockInterruptibly();
      try {
        while (count.get() == seen && nanos > 0) {
          nanos = raised.awaitNanos(nanos);
        }
        return atMost.minusNanos(nanos);
      } finally {
        lock.unlock();
      }
    }
  }
}
