package dev.caliber.models;

import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
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
 * Platform threads that run native code. Queries run before passages, so that a search does not
 * wait for a backlog; each purpose has a bounded queue of its own.
 */
final class InferenceThreads implements AutoCloseable {

  private final ThreadPoolExecutor threads;
  private final Map<EmbeddingPurpose, Semaphore> room = new EnumMap<>(EmbeddingPurpose.class);
  private final AtomicLong sequence = new AtomicLong();
  private final Duration patience;

  InferenceThreads(int count, int queueLimit, Duration patience) {
    this.threads =
        new ThreadPoolExecutor(
            count,
            count,
            0,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("caliber-model-", 0).factory());
    for (EmbeddingPurpose embeddingPurpose : EmbeddingPurpose.values()) {
      room.put(embeddingPurpose, new Semaphore(queueLimit));
    }
    this.patience = patience;
  }

  /** Queues the work; waits for space in the queue up to the configured patience. */
  <T> Future<T> submit(EmbeddingPurpose embeddingPurpose, Callable<T> work) {
    if (threads.isShutdown()) {
      throw ModelsException.closed();
    }
    Semaphore permits = Objects.requireNonNull(room.get(embeddingPurpose));
    acquirePermit(permits);
    var inferenceTask =
        new InferenceTask<>(embeddingPurpose, sequence.getAndIncrement(), work, permits);
    try {
      threads.execute(inferenceTask);
    } catch (RejectedExecutionException _) {
      inferenceTask.cancel(false);
      throw ModelsException.closed();
    }
    return inferenceTask;
  }

  private void acquirePermit(Semaphore permits) {
    try {
      if (!permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw ModelsException.busy("models.in-process.queue-limit", patience);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw ModelsException.interrupted();
    }
  }

  /** Drops queued work and waits for running work. */
  @Override
  public void close() {
    for (Runnable waiting : threads.shutdownNow()) {
      if (waiting instanceof InferenceTask<?> inferenceTask) {
        inferenceTask.cancel(false);
      }
    }
    threads.close();
  }

  private static final class InferenceTask<T> extends FutureTask<T>
      implements Comparable<InferenceTask<?>> {
    private final EmbeddingPurpose embeddingPurpose;
    private final long sequence;
    private final Semaphore permits;

    InferenceTask(
        EmbeddingPurpose embeddingPurpose, long sequence, Callable<T> work, Semaphore permits) {
      super(work);
      this.embeddingPurpose = embeddingPurpose;
      this.sequence = sequence;
      this.permits = permits;
    }

    @Override
    protected void done() {
      permits.release();
    }

    @Override
    public int compareTo(InferenceTask<?> other) {
      int byPurpose = embeddingPurpose.compareTo(other.embeddingPurpose);
      return byPurpose == 0 ? Long.compare(sequence, other.sequence) : byPurpose;
    }
  }
}
