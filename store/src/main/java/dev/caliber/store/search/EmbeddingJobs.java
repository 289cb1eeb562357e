package dev.caliber.store.search;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Job;
import dev.caliber.store.JobEffect;
import dev.caliber.store.JobRequest;
import dev.caliber.store.JobRun;
import dev.caliber.store.JobState;
import dev.caliber.store.Jobs;
import dev.caliber.store.Progress;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.spi.Embedder;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives documents their vectors: one job for each space and model, a batch in each commit. */
final class EmbeddingJobs {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddingJobs.class);

  static final String KIND = "search.embed";
  static final String PHASE = "Embedding texts";

  private final Machinery machinery;
  private final RecordStore store;
  private final Embedder embedder;
  private final Calibration calibration;
  private final Function<SpaceId, SpaceIndex> indexes;
  private final Map<SpaceId, ReentrantLock> turns = new ConcurrentHashMap<>();
  private volatile Instant pausedUntil = Instant.MIN;

  EmbeddingJobs(
      Machinery machinery,
      Embedder embedder,
      Calibration calibration,
      Function<SpaceId, SpaceIndex> indexes) {
    this.machinery = machinery;
    this.store = machinery.store();
    this.embedder = embedder;
    this.calibration = calibration;
    this.indexes = indexes;
  }

  /**
   * Makes sure that a job is there; one that was given up is revived if asked, though not before
   * the pause after its last attempt is over.
   */
  void request(SpaceId space, boolean revive) {
    Optional<Job> present = store.read(space, this::present);
    if (present.isEmpty() || (revive && present.filter(this::isRevivable).isPresent())) {
      store.write(space, this::requestIn);
    }
  }

  private boolean isRevivable(Job job) {
    return job.state() == JobState.DEAD && !job.due().isAfter(machinery.clock().instant());
  }

  /** Why texts wait, if an attempt to embed them has failed. */
  Optional<String> trouble(SpaceId space) {
    return store.read(space, this::present).flatMap(Job::lastError);
  }

  private Optional<Job> present(Snapshot snapshot) {
    return snapshot
        .scan(Query.over(Jobs.TABLE, "kind", "deduplication").equal(KIND, embedder.model()), 1)
        .records()
        .stream()
        .findFirst();
  }

  private boolean requestIn(Transaction transaction) {
    Optional<Job> present = present(transaction);
    if (present.isEmpty()) {
      Jobs.schedule(
          transaction, JobRequest.of(KIND, "{}", transaction.now()).once(embedder.model()));
    } else if (isRevivable(present.get())) {
      Jobs.revive(transaction, present.get().id());
    }
    return true;
  }

  JobEffect run(JobRun run) {
    embedAll(new EmbeddingRound(machinery, embedder, run.space(), run::renew, _ -> {}));
    return JobEffect.none();
  }

  /**
   * Embeds the newest documents that have no vector, for a search that has to compare them by
   * meaning; the job embeds the others. The search waits for a bounded number of documents and a
   * bounded time. Where the model fails the search goes on without them, and other searches do not
   * try for a while.
   */
  void embedNewest(SpaceIndex index) {
    Instant deadline = machinery.clock().instant().plus(machinery.config().general().patience());
    ReentrantLock turn = turns.computeIfAbsent(index.space(), _ -> new ReentrantLock());
    if (isPaused() || !isAcquired(turn)) {
      return;
    }
    try {
      embedUntil(index, deadline);
    } catch (CaliberException e) {
      LOG.warn("Embedding texts of space {} within a search failed: {}", index.space(), e.report());
      pausedUntil = machinery.clock().instant().plus(e.retryAfter().orElse(pause()));
    } finally {
      turn.unlock();
    }
  }

  /** False if another search of the space embeds for longer than a search waits. */
  private boolean isAcquired(ReentrantLock turn) {
    try {
      return turn.tryLock(
          machinery.config().general().patience().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** In small groups, so that the time is looked at between them. */
  private void embedUntil(SpaceIndex index, Instant deadline) {
    int left = machinery.config().embedding().withinSearch();
    boolean more = true;
    while (more && left > 0 && machinery.clock().instant().isBefore(deadline)) {
      Optional<Waiting> waiting =
          index.waiting(Math.min(left, SearchBounds.EMBEDDED_AT_ONCE_BOUND));
      waiting.ifPresent(some -> embedNow(index, some));
      more = waiting.isPresent();
      left -= SearchBounds.EMBEDDED_AT_ONCE_BOUND;
    }
  }

  private boolean isPaused() {
    return machinery.clock().instant().isBefore(pausedUntil);
  }

  private Duration pause() {
    return machinery.config().embedding().queryPause();
  }

  private void embedNow(SpaceIndex index, Waiting some) {
    calibration.of(index.space());
    EmbeddingRound round =
        new EmbeddingRound(machinery, embedder, index.space(), () -> true, _ -> {});
    round.embed(some);
    catchUp(index);
    round.requireSuccess();
  }

  /** For somebody who waits for it. */
  void embedAll(SpaceId space, long total, Progress progress) {
    embedAll(
        new EmbeddingRound(
            machinery, embedder, space, () -> true, done -> progress.at(PHASE, done, total)));
  }

  /** Embeds until nothing waits. What was embedded stays even if a later batch fails. */
  private void embedAll(EmbeddingRound round) {
    SpaceIndex index = indexes.apply(round.space());
    Optional<Waiting> before = Optional.empty();
    Optional<Waiting> waiting = waiting(index);
    if (waiting.isPresent()) {
      calibration.of(round.space());
    }
    while (waiting.isPresent() && !waiting.equals(before) && round.embed(waiting.get())) {
      before = waiting;
      waiting = waiting(index);
    }
    round.requireSuccess();
  }

  /** What waits once the index holds all that was committed up to now. */
  private Optional<Waiting> waiting(SpaceIndex index) {
    catchUp(index);
    return index.waiting(SearchBounds.MAX_WAITING);
  }

  /** Applies what was committed up to now; the follower's thread may do so at the same time. */
  private void catchUp(SpaceIndex index) {
    long head = store.changes().head(index.space()).sequence();
    boolean more = true;
    while (more && index.applied() < head) {
      more = index.work();
    }
  }
}
