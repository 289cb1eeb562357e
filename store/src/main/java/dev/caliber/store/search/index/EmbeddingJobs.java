package dev.caliber.store.search.index;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.Job;
import dev.caliber.store.job.JobEffect;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.JobRun;
import dev.caliber.store.job.JobState;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchBounds;
import dev.caliber.store.search.embed.ModelCalibration;
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

/** Jobs that embed documents: one for each space and model, one batch per commit. */
final class EmbeddingJobs {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddingJobs.class);

  static final String KIND = "search.embed-documents";
  static final String PHASE = "Embedding texts";

  private final SpaceIndexDependencies spaceIndexDependencies;
  private final RecordStore store;
  private final Embedder embedder;
  private final ModelCalibration modelCalibration;
  private final Function<SpaceId, SpaceIndex> indexes;
  private final Map<SpaceId, ReentrantLock> turns = new ConcurrentHashMap<>();
  private volatile Instant pausedUntil = Instant.MIN;

  EmbeddingJobs(
      SpaceIndexDependencies spaceIndexDependencies,
      Embedder embedder,
      ModelCalibration modelCalibration,
      Function<SpaceId, SpaceIndex> indexes) {
    this.spaceIndexDependencies = spaceIndexDependencies;
    this.store = spaceIndexDependencies.store();
    this.embedder = embedder;
    this.modelCalibration = modelCalibration;
    this.indexes = indexes;
  }

  /**
   * Ensures that a job exists. A dead one is revived if asked, after the pause that follows its
   * last attempt.
   */
  void ensureJob(SpaceId space, boolean revive) {
    Optional<Job> present = store.read(space, this::currentJob);
    if (present.isEmpty() || (revive && present.filter(this::isRevivable).isPresent())) {
      store.write(space, this::requestJob);
    }
  }

  private boolean isRevivable(Job job) {
    return job.state() == JobState.DEAD
        && !job.due().isAfter(spaceIndexDependencies.clock().instant());
  }

  /** Returns the reason why texts wait, if an attempt to embed them has failed. */
  Optional<String> failureReason(SpaceId space) {
    return store.read(space, this::currentJob).flatMap(Job::lastError);
  }

  private Optional<Job> currentJob(Snapshot snapshot) {
    return snapshot
        .scan(Query.over(Jobs.TABLE, "kind", "deduplication").equal(KIND, embedder.model()), 1)
        .records()
        .stream()
        .findFirst();
  }

  private boolean requestJob(Transaction transaction) {
    Optional<Job> present = currentJob(transaction);
    if (present.isEmpty()) {
      Jobs.schedule(
          transaction,
          JobRequest.of(KIND, "{}", transaction.now()).withDeduplicationKey(embedder.model()));
    } else if (isRevivable(present.get())) {
      Jobs.revive(transaction, present.get().id());
    }
    return true;
  }

  JobEffect run(JobRun run) {
    embedAll(
        new EmbeddingPass(spaceIndexDependencies, embedder, run.space(), run::renewLease, _ -> {}));
    return JobEffect.none();
  }

  /**
   * Embeds the newest documents without a vector, for a search that has to compare them by meaning;
   * the job embeds the others. The search waits for a bounded number of documents and a bounded
   * time. If the model fails, the search continues without them, and other searches do not try for
   * a while.
   */
  void embedNewest(SpaceIndex index) {
    Instant deadline =
        spaceIndexDependencies
            .clock()
            .instant()
            .plus(spaceIndexDependencies.config().general().commitWaitTimeout());
    ReentrantLock turn = turns.computeIfAbsent(index.space(), _ -> new ReentrantLock());
    if (isPaused() || !tryAcquire(turn)) {
      return;
    }
    try {
      embedUntil(index, deadline);
    } catch (CaliberException e) {
      LOG.warn(
          "Space {}: embedding new texts before a search failed, the search uses the vectors that exist. Cause: {}",
          index.space(),
          e.toLine());
      pausedUntil =
          spaceIndexDependencies.clock().instant().plus(e.retryAfter().orElse(retryPause()));
    } finally {
      turn.unlock();
    }
  }

  /** Returns false if another search of the space embeds for longer than a search waits. */
  private boolean tryAcquire(ReentrantLock turn) {
    try {
      return turn.tryLock(
          spaceIndexDependencies.config().general().commitWaitTimeout().toMillis(),
          TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Embeds in small groups and checks the time between them. */
  private void embedUntil(SpaceIndex index, Instant deadline) {
    int left = spaceIndexDependencies.config().embedding().beforeSearchLimit();
    boolean more = true;
    while (more && left > 0 && spaceIndexDependencies.clock().instant().isBefore(deadline)) {
      Optional<PendingEmbeddings> waiting =
          index.pendingEmbeddings(Math.min(left, SearchBounds.EMBEDDED_AT_ONCE_BOUND));
      waiting.ifPresent(some -> embedNow(index, some));
      more = waiting.isPresent();
      left -= SearchBounds.EMBEDDED_AT_ONCE_BOUND;
    }
  }

  private boolean isPaused() {
    return spaceIndexDependencies.clock().instant().isBefore(pausedUntil);
  }

  private Duration retryPause() {
    return spaceIndexDependencies.config().embedding().retryPause();
  }

  private void embedNow(SpaceIndex index, PendingEmbeddings some) {
    modelCalibration.measureIfUnknown(index.space());
    EmbeddingPass round =
        new EmbeddingPass(spaceIndexDependencies, embedder, index.space(), () -> true, _ -> {});
    round.embed(some);
    catchUp(index);
    round.requireSuccess();
  }

  /** Embeds all pending documents for a caller that waits for it. */
  void embedAll(SpaceId space, long total, ProgressListener progressListener) {
    embedAll(
        new EmbeddingPass(
            spaceIndexDependencies,
            embedder,
            space,
            () -> true,
            done -> progressListener.onProgress(PHASE, done, total)));
  }

  /** Embeds until no document is pending. Stored vectors remain even if a later batch fails. */
  private void embedAll(EmbeddingPass round) {
    SpaceIndex index = indexes.apply(round.space());
    Optional<PendingEmbeddings> before = Optional.empty();
    Optional<PendingEmbeddings> waiting = pendingEmbeddings(index);
    if (waiting.isPresent()) {
      modelCalibration.measureIfUnknown(round.space());
    }
    while (waiting.isPresent() && !waiting.equals(before) && round.embed(waiting.get())) {
      before = waiting;
      waiting = pendingEmbeddings(index);
    }
    round.requireSuccess();
  }

  /** Returns the pending documents after the index has applied all commits up to now. */
  private Optional<PendingEmbeddings> pendingEmbeddings(SpaceIndex index) {
    catchUp(index);
    return index.pendingEmbeddings(SearchBounds.MAX_WAITING);
  }

  /** Applies all commits up to now; the follower's thread may do so at the same time. */
  private void catchUp(SpaceIndex index) {
    long head = store.changes().head(index.space()).sequence();
    boolean more = true;
    while (more && index.appliedSequence() < head) {
      more = index.runStep();
    }
  }
}
