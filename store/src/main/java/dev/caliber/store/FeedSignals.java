package dev.caliber.store;

import dev.caliber.kernel.Seam;
import dev.caliber.kernel.SpaceId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wakes those who wait for a space's next commit. */
final class FeedSignals {

  private static final Logger LOG = LoggerFactory.getLogger(FeedSignals.class);

  private final ConcurrentHashMap<SpaceId, Signal> signals = new ConcurrentHashMap<>();

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  private record Listener(String table, Set<ChangeKind> kinds, Consumer<SpaceId> target) {
    boolean isMeant(Change change) {
      return change.table().equals(table) && kinds.contains(change.kind());
    }

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
        if (commit.changes().stream().anyMatch(listener::isMeant)) {
          listener.tell(commit.space());
        }
      }
    }
  }

  ChangeFeed.Watch watch(Table<?> table, Set<ChangeKind> kinds, Consumer<SpaceId> target) {
    Listener listener = new Listener(table.name(), Set.copyOf(kinds), target);
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
    private final AtomicReference<State> last = new AtomicReference<>(new State(0));

    /**
     * How often it has changed, and what those who wait for the next time wait at: it lets all go
     * at once.
     */
    private record State(long count, CountDownLatch next) {
      State(long count) {
        this(count, new CountDownLatch(1));
      }

      State following() {
        return new State(count + 1);
      }
    }

    long count() {
      return last.get().count;
    }

    void raise() {
      last.getAndUpdate(State::following).next.countDown();
    }

    @Seam("how long a thread has waited is a matter of this process alone")
    Duration await(long seen, Duration atMost) throws InterruptedException {
      State known = last.get();
      if (known.count != seen) {
        return Duration.ZERO;
      }
      long start = System.nanoTime();
      boolean raised = known.next.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
      return raised ? Duration.ofNanos(System.nanoTime() - start) : atMost;
    }
  }
}
