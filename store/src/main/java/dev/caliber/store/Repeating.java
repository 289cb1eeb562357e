package dev.caliber.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something again and again on a thread of its own, with a pause before each time. */
final class Repeating implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Repeating.class);

  private final String what;
  private final Duration pause;
  private final Runnable task;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stopped = lock.newCondition();

  @GuardedBy("lock")
  private boolean stopping;

  @GuardedBy("lock")
  private boolean hurried;

  Repeating(String what, Duration pause, Runnable task) {
    this.what = what;
    this.pause = pause;
    this.task = task;
    this.thread = Thread.ofPlatform().name("caliber-" + what).daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Runs the task now, without the rest of the pause. */
  void hurry() {
    lock.lock();
    try {
      hurried = true;
      stopped.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (!isStoppedAfterPause()) {
      try {
        task.run();
      } catch (StoreException e) {
        LOG.warn("{} failed and will be tried again: {}", what, e.getMessage());
      }
    }
  }

  private boolean isStoppedAfterPause() {
    lock.lock();
    try {
      long nanos = pause.toNanos();
      while (!stopping && !hurried && nanos > 0) {
        nanos = stopped.awaitNanos(nanos);
      }
      hurried = false;
      return stopping;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the task if it is at work. */
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
