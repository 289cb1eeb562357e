package dev.caliber.store.jdbc;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.SystemAccess;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.Commit;
import dev.caliber.store.RecordChange;
import dev.caliber.store.Table;
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

/** Signals that wake the readers waiting for a space's next commit. */
final class FeedSignals {

  private static final Logger LOG = LoggerFactory.getLogger(FeedSignals.class);

  private final ConcurrentHashMap<SpaceId, SpaceSignal> signals = new ConcurrentHashMap<>();

  private final List<TableListener> listeners = new CopyOnWriteArrayList<>();

  private record TableListener(String table, Set<ChangeKind> kinds, Consumer<SpaceId> target) {
    boolean isInterestedIn(RecordChange recordChange) {
      return recordChange.table().equals(table) && kinds.contains(recordChange.kind());
    }

    /** Notifies one listener. Its failure is logged and ignored: the commit has happened. */
    void notifyTarget(SpaceId space) {
      try {
        target.accept(space);
      } catch (Throwable e) {
        LOG.error("A listener of the change feed of space {} failed", space, e);
      }
    }
  }

  /** Notifies the waiting readers and listeners of commits of this process. */
  void notifyCommitted(List<Commit> commits) {
    for (Commit commit : commits) {
      signalOf(commit.space()).raise();
      for (TableListener tableListener : listeners) {
        if (commit.changes().stream().anyMatch(tableListener::isInterestedIn)) {
          tableListener.notifyTarget(commit.space());
        }
      }
    }
  }

  ChangeFeed.FeedSubscription subscribe(
      Table<?> table, Set<ChangeKind> kinds, Consumer<SpaceId> target) {
    TableListener tableListener = new TableListener(table.name(), Set.copyOf(kinds), target);
    listeners.add(tableListener);
    return () -> listeners.remove(tableListener);
  }

  /** Returns the number of changes of the space. Must be called before the feed is read. */
  long changeCount(SpaceId space) {
    return signalOf(space).count();
  }

  /** Notifies of a possible commit of another process, to any table. */
  void notifyChanged(SpaceId space) {
    SpaceSignal spaceSignal = signals.get(space);
    if (spaceSignal != null) { // no reader has asked for this space yet, or its name does not exist
      spaceSignal.raise();
    }
    listeners.forEach(tableListener -> tableListener.notifyTarget(space));
  }

  /**
   * Waits until the count exceeds {@code seen} or {@code atMost} has passed; returns the time
   * waited.
   */
  Duration await(SpaceId space, long seen, Duration atMost) throws InterruptedException {
    return signalOf(space).await(seen, atMost);
  }

  private SpaceSignal signalOf(SpaceId space) {
    return signals.computeIfAbsent(space, _ -> new SpaceSignal());
  }

  private static final class SpaceSignal {
    private final AtomicReference<SignalState> last = new AtomicReference<>(new SignalState(0));

    /** Number of changes so far, and the latch that releases all readers at the next one. */
    private record SignalState(long count, CountDownLatch next) {
      SignalState(long count) {
        this(count, new CountDownLatch(1));
      }

      SignalState incremented() {
        return new SignalState(count + 1);
      }
    }

    long count() {
      return last.get().count;
    }

    void raise() {
      last.getAndUpdate(SignalState::incremented).next.countDown();
    }

    @SystemAccess("how long a thread has waited is a matter of this process alone")
    Duration await(long seen, Duration atMost) throws InterruptedException {
      SignalState known = last.get();
      if (known.count != seen) {
        return Duration.ZERO;
      }
      long start = System.nanoTime();
      boolean raised = known.next.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
      return raised ? Duration.ofNanos(System.nanoTime() - start) : atMost;
    }
  }
}
