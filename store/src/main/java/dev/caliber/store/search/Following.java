package dev.caliber.store.search;

import dev.caliber.kernel.SpaceId;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Works on spaces that were stirred, on a bounded number of threads, one thread for a space. */
final class Following implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Following.class);

  private final Machinery machinery;
  private final Function<SpaceId, SpaceIndex> indexes;
  private final Optional<EmbeddingJobs> embedding;
  private final ScheduledThreadPoolExecutor threads;

  /** Spaces that wait for a thread. */
  private final Set<SpaceId> waiting = ConcurrentHashMap.newKeySet();

  Following(
      Machinery machinery,
      Function<SpaceId, SpaceIndex> indexes,
      Optional<EmbeddingJobs> embedding) {
    this.machinery = machinery;
    this.indexes = indexes;
    this.embedding = embedding;
    ThreadFactory names = Thread.ofPlatform().name("caliber-search-", 0).daemon().factory();
    this.threads = new ScheduledThreadPoolExecutor(machinery.config().follow().threads(), names);
    threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    threads.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
  }

  void start() {
    long pause = machinery.config().follow().interval().toNanos();
    ScheduledFuture<?> _ =
        threads.scheduleWithFixedDelay(this::tick, pause, pause, TimeUnit.NANOSECONDS);
  }

  /** Looks at the space soon; called again and again before that, it is looked at once. */
  void stir(SpaceId space) {
    if (waiting.add(space)) {
      try {
        threads.execute(() -> guarded(space, this::follow));
      } catch (java.util.concurrent.RejectedExecutionException _) {
        waiting.remove(space); // closed
      }
    }
  }

  private void follow(SpaceId space) {
    waiting.remove(space);
    SpaceIndex index = indexes.apply(space);
    boolean more = index.work();
    if (more) {
      stir(space);
    } else if (embedding.isPresent() && index.waiting(1).isPresent()) {
      embedding.get().request(space, false);
    }
  }

  private void tick() {
    try {
      machinery.store().spaces().forEach(space -> guarded(space, this::keepUp));
    } catch (RuntimeException | Error e) { // a task that throws is never run again
      LOG.warn("Looking for spaces to index failed: {}", e.getMessage());
    }
  }

  private void keepUp(SpaceId space) {
    SpaceIndex index = indexes.apply(space);
    index.commit();
    if (embedding.isPresent() && index.waiting(1).isPresent()) {
      embedding.get().request(space, true);
    }
    stir(space);
  }

  private void guarded(SpaceId space, java.util.function.Consumer<SpaceId> work) {
    try {
      work.accept(space);
    } catch (RuntimeException e) {
      LOG.warn("Indexing space {} failed and will be tried again: {}", space, e.getMessage());
    }
  }

  /** Lets work that has begun come to an end. */
  @Override
  public void close() {
    threads.shutdown();
    boolean interrupted = false;
    while (!threads.isTerminated()) {
      try {
        threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
