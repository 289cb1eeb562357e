package dev.caliber.store.search;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.caliber.kernel.SpaceId;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Works on spaces that were stirred, on a bounded number of threads, one at a time on a space. */
final class Following implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Following.class);

  private final Machinery machinery;
  private final Function<SpaceId, SpaceIndex> indexes;
  private final Optional<EmbeddingJobs> embedding;
  private final Runnable resting;
  private final ScheduledThreadPoolExecutor threads;

  /** Spaces that will be looked at when more commits may have come. */
  private final Set<SpaceId> stirred = ConcurrentHashMap.newKeySet();

  /** Spaces that wait for nothing but a thread. */
  private final Set<SpaceId> urged = ConcurrentHashMap.newKeySet();

  /** Spaces that a thread works on, and those that somebody wants looked at once more. */
  private final Set<SpaceId> working = ConcurrentHashMap.newKeySet();

  private final Set<SpaceId> again = ConcurrentHashMap.newKeySet();

  /**
   * @param resting closes idle indexes, if too many are open
   */
  Following(
      Machinery machinery,
      Function<SpaceId, SpaceIndex> indexes,
      Optional<EmbeddingJobs> embedding,
      Runnable resting) {
    this.machinery = machinery;
    this.indexes = indexes;
    this.embedding = embedding;
    this.resting = resting;
    ThreadFactory names = Thread.ofPlatform().name("caliber-search-", 0).daemon().factory();
    this.threads = new ScheduledThreadPoolExecutor(machinery.config().follow().threads(), names);
    threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    threads.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
  }

  void start() {
    long pause = machinery.config().follow().interval().toNanos();
    ScheduledFuture<?> _ = threads.scheduleWithFixedDelay(this::tick, pause, pause, NANOSECONDS);
  }

  /** Looks at the space soon; commits that come before that are taken with it. */
  void stir(SpaceId space) {
    look(stirred, space, machinery.config().follow().gather());
  }

  /** Looks at the space at once: somebody waits. */
  void urge(SpaceId space) {
    look(urged, space, Duration.ZERO);
  }

  private void look(Set<SpaceId> asked, SpaceId space, Duration after) {
    if (asked.add(space)) {
      try {
        ScheduledFuture<?> _ =
            threads.schedule(() -> look(asked, space), after.toNanos(), NANOSECONDS);
      } catch (RejectedExecutionException _) {
        asked.remove(space); // closed
      }
    }
  }

  /** Who finds another thread at work leaves the space to it: a busy one never holds them all. */
  private void look(Set<SpaceId> asked, SpaceId space) {
    asked.remove(space);
    again.add(space);
    while (again.contains(space) && working.add(space)) {
      try {
        again.remove(space);
        guarded(space, this::follow);
      } finally {
        working.remove(space);
      }
    }
  }

  private void follow(SpaceId space) {
    SpaceIndex index = indexes.apply(space);
    if (index.isAtRest()) {
      return;
    }
    boolean more = index.work();
    if (more) {
      urge(space);
    } else if (embedding.isPresent() && index.waiting(1).isPresent()) {
      embedding.get().request(space, false);
    }
    resting.run();
  }

  private void tick() {
    try {
      machinery.store().spaces().forEach(space -> guarded(space, this::keepUp));
      resting.run();
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
      if (!threads.isShutdown()) {
        LOG.warn("Indexing space {} failed and will be tried again: {}", space, e.getMessage());
      }
    }
  }

  /** Lets work that has begun come to an end. */
  @Override
  public void close() {
    threads.shutdown();
    boolean interrupted = false;
    while (!threads.isTerminated()) {
      try {
        threads.awaitTermination(Long.MAX_VALUE, NANOSECONDS);
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
