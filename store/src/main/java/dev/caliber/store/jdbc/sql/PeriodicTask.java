package dev.caliber.store.jdbc.sql;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.store.StoreException;
import dev.caliber.store.UninterruptibleWait;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Task that runs repeatedly on a thread of its own, with a pause before each run. */
public final class PeriodicTask implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);

  private final String what;
  private final Duration pause;
  private final Runnable task;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stopped = lock.newCondition();

  @GuardedBy("lock")
  private boolean stopping;

  @GuardedBy("lock")
  private boolean runNowRequested;

  public PeriodicTask(String what, Duration pause, Runnable task) {
    this.what = what;
    this.pause = pause;
    this.task = task;
    this.thread = Thread.ofPlatform().name("caliber-" + what).daemon().unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  /** Runs the task now, without the rest of the pause. */
  public void runNow() {
    lock.lock();
    try {
      runNowRequested = true;
      stopped.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (!awaitNextRunOrStop()) {
      try {
        task.run();
      } catch (StoreException e) {
        LOG.warn(
            "The background task '{}' failed; it runs again at its next interval. Cause: {}",
            what,
            e.getMessage());
      }
    }
  }

  private boolean awaitNextRunOrStop() {
    lock.lock();
    try {
      long nanos = pause.toNanos();
      while (!stopping && !runNowRequested && nanos > 0) {
        nanos = stopped.awaitNanos(nanos);
      }
      runNowRequested = false;
      return stopping;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Stops the task and waits for a run in progress. */
  @Override
  public void close() {
    lock.lock();
    try {
      stopping = true;
      stopped.signalAll();
    } finally {
      lock.unlock();
    }
    UninterruptibleWait.join(thread);
  }
}
