package dev.caliber.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.SpaceId;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drops what the feed need not keep any longer, in every space, now and then. */
final class FeedTrimming implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FeedTrimming.class);

  private final RecordStore store;
  private final StoreConfig.Feed rules;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stopped = lock.newCondition();

  @GuardedBy("lock")
  private boolean stopping;

  FeedTrimming(RecordStore store, StoreConfig.Feed rules) {
    this.store = store;
    this.rules = rules;
    this.thread = Thread.ofPlatform().name("caliber-trimming").daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!pause()) {
      try {
        for (SpaceId space : store.spaces()) {
          long trimmed = store.changes().trim(space);
          if (trimmed > 0) {
            LOG.debug("Dropped {} commits from the feed of space {}", trimmed, space.value());
          }
        }
      } catch (StoreException e) {
        LOG.warn("Trimming the feed failed and will be tried again: {}", e.getMessage());
      }
    }
  }

  /** True when it is time to stop. */
  private boolean pause() {
    lock.lock();
    try {
      long nanos = rules.trimInterval().toNanos();
      while (!stopping && nanos > 0) {
        nanos = stopped.awaitNanos(nanos);
      }
      return stopping;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      stopping = true;
      stopped.signalAll();
    } finally {
      lock.unlock();
    }
    Outcomes.join(thread);
  }
}
