package dev.caliber.models;

import dev.caliber.store.spi.Embedder.Purpose;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The platform threads that native code runs on. Queries go before passages, so that nobody who
 * searches waits for a backlog; what waits is bounded for each purpose apart.
 */
final class Workers implements AutoCloseable {

  private final ThreadPoolExecutor threads;
  private final Map<Purpose, Semaphore> room = new EnumMap<>(Purpose.class);
  private final AtomicLong sequence = new AtomicLong();
  private final Duration patience;

  Workers(int count, int queueLimit, Duration patience) {
    this.threads =
        new ThreadPoolExecutor(
            count,
            count,
            0,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("caliber-model-", 0).factory());
    for (Purpose purpose : Purpose.values()) {
      room.put(purpose, new Semaphore(queueLimit));
    }
    this.patience = patience;
  }

  /** Queues the work, and waits for room in the queue as long as patience lasts. */
  <T> Future<T> submit(Purpose purpose, Callable<T> work) {
    if (threads.isShutdown()) {
      throw ModelsException.closed();
    }
    Semaphore permits = Objects.requireNonNull(room.get(purpose));
    enter(permits);
    var task = new Task<>(purpose, sequence.getAndIncrement(), work, permits);
    try {
      threads.execute(task);
    } catch (RejectedExecutionException _) {
      task.cancel(false);
      throw ModelsException.closed();
    }
    return task;
  }

  private void enter(Semaphore permits) {
    try {
      if (!permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw ModelsException.busy("models.in-process.queue-limit", patience);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw ModelsException.interrupted();
    }
  }

  /** Drops what waits, and lets what runs come to its end. */
  @Override
  public void close() {
    for (Runnable waiting : threads.shutdownNow()) {
      if (waiting instanceof Task<?> task) {
        task.cancel(false);
      }
    }
    threads.close();
  }

  private static final class Task<T> extends FutureTask<T> implements Comparable<Task<?>> {
    private final Purpose purpose;
    private final long sequence;
    private final Semaphore permits;

    Task(Purpose purpose, long sequence, Callable<T> work, Semaphore permits) {
      super(work);
      this.purpose = purpose;
      this.sequence = sequence;
      this.permits = permits;
    }

    @Override
    protected void done() {
      permits.release();
    }

    @Override
    public int compareTo(Task<?> other) {
      int byPurpose = purpose.compareTo(other.purpose);
      return byPurpose == 0 ? Long.compare(sequence, other.sequence) : byPurpose;
    }
  }
}
