package dev.caliber.store.search.index;

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

/** Scheduler of the work on spaces, on a bounded number of threads, one at a time per space. */
final class IndexScheduler implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(IndexScheduler.class);

  private final SpaceIndexDependencies spaceIndexDependencies;
  private final Function<SpaceId, SpaceIndex> indexes;
  private final Optional<EmbeddingJobs> embedding;
  private final Runnable resting;
  private final ScheduledThreadPoolExecutor threads;

  /** Spaces that will be checked after a pause, when more commits may have come. */
  private final Set<SpaceId> scheduledSoon = ConcurrentHashMap.newKeySet();

  /** Spaces that wait only for a thread. */
  private final Set<SpaceId> scheduledNow = ConcurrentHashMap.newKeySet();

  /** Spaces that a thread works on, and those that must be checked once more afterwards. */
  private final Set<SpaceId> working = ConcurrentHashMap.newKeySet();

  private final Set<SpaceId> lookAgain = ConcurrentHashMap.newKeySet();

  /**
   * @param resting closes idle indexes if too many are open
   */
  IndexScheduler(
      SpaceIndexDependencies spaceIndexDependencies,
      Function<SpaceId, SpaceIndex> indexes,
      Optional<EmbeddingJobs> embedding,
      Runnable resting) {
    this.spaceIndexDependencies = spaceIndexDependencies;
    this.indexes = indexes;
    this.embedding = embedding;
    this.resting = resting;
    ThreadFactory names = Thread.ofPlatform().name("caliber-search-", 0).daemon().factory();
    this.threads =
        new ScheduledThreadPoolExecutor(
            spaceIndexDependencies.config().indexing().threads(), names);
    threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    threads.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
  }

  /** Starts to follow all spaces; it reads none on this thread, which may be inside a commit. */
  void start() {
    threads.execute(this::scheduleAllSpaces);
    long pause = spaceIndexDependencies.config().indexing().interval().toNanos();
    ScheduledFuture<?> _ =
        threads.scheduleWithFixedDelay(this::checkAllSpaces, pause, pause, NANOSECONDS);
  }

  /** Schedules a check of the space after a pause; it includes all commits until then. */
  void scheduleSoon(SpaceId space) {
    schedule(scheduledSoon, space, spaceIndexDependencies.config().indexing().batchDelay());
  }

  /** Schedules an immediate check of the space, because a caller waits. */
  void scheduleNow(SpaceId space) {
    schedule(scheduledNow, space, Duration.ZERO);
  }

  private void schedule(Set<SpaceId> asked, SpaceId space, Duration after) {
    if (asked.add(space)) {
      try {
        ScheduledFuture<?> _ =
            threads.schedule(() -> runScheduled(asked, space), after.toNanos(), NANOSECONDS);
      } catch (RejectedExecutionException _) {
        asked.remove(space); // the executor is closed
      }
    }
  }

  /**
   * Runs a check, or leaves it to the thread already at work on the space, so that one busy space
   * never occupies all threads.
   */
  private void runScheduled(Set<SpaceId> asked, SpaceId space) {
    asked.remove(space);
    lookAgain.add(space);
    while (lookAgain.contains(space) && working.add(space)) {
      try {
        lookAgain.remove(space);
        runLoggingFailures(space, this::indexSpace);
      } finally {
        working.remove(space);
      }
    }
  }

  private void indexSpace(SpaceId space) {
    SpaceIndex index = indexes.apply(space);
    if (index.isClosedAndUpToDate()) {
      return;
    }
    boolean more = index.runStep();
    if (more) {
      scheduleNow(space);
    } else if (embedding.isPresent() && index.pendingEmbeddings(1).isPresent()) {
      embedding.get().ensureJob(space, false);
    }
    resting.run();
  }

  private void scheduleAllSpaces() {
    try {
      spaceIndexDependencies.store().spaces().forEach(this::scheduleSoon);
    } catch (RuntimeException | Error e) { // the next regular check finds them
      LOG.warn("The search for spaces to index failed: {}", e.getMessage());
    }
  }

  private void checkAllSpaces() {
    try {
      spaceIndexDependencies
          .store()
          .spaces()
          .forEach(space -> runLoggingFailures(space, this::commitAndSchedule));
      resting.run();
    } catch (RuntimeException | Error e) { // a task that throws is never run again
      LOG.warn(
          "The search for spaces to index failed; it runs again at its next interval. Cause: {}",
          e.getMessage());
    }
  }

  private void commitAndSchedule(SpaceId space) {
    SpaceIndex index = indexes.apply(space);
    index.commit();
    if (embedding.isPresent() && index.pendingEmbeddings(1).isPresent()) {
      embedding.get().ensureJob(space, true);
    }
    scheduleSoon(space);
  }

  private void runLoggingFailures(SpaceId space, java.util.function.Consumer<SpaceId> work) {
    try {
      work.accept(space);
    } catch (RuntimeException e) {
      if (!threads.isShutdown()) {
        LOG.warn("Space {}: indexing failed and will be retried. Cause: {}", space, e.getMessage());
      }
    }
  }

  /** Waits for running checks and closes. */
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
