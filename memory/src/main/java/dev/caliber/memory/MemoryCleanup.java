package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.CleanupStep.CleanupProgress;
import dev.caliber.memory.command.CleanupResult;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryEvent.RecordRemoved;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Notice;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.SearchIndex;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Clean-up steps of memory, controlled by {@code memory.retention}. */
final class MemoryCleanup {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryCleanup.class);

  private final MemoryConfig.RetentionSettings retentionSettings;
  private final Function<Transaction, UnitOfWork> unitOfWorkFactory;

  MemoryCleanup(
      MemoryConfig.RetentionSettings retentionSettings,
      Function<Transaction, UnitOfWork> unitOfWorkFactory) {
    this.retentionSettings = retentionSettings;
    this.unitOfWorkFactory = unitOfWorkFactory;
  }

  List<CleanupStep> steps() {
    return List.of(
        step(
            "retention",
            (transaction, _) ->
                CleanupProgress.uncounted(
                    new RetentionEnforcer(unitOfWorkFactory.apply(transaction)).enforceInSpace())),
        step("checkpoints", this::checkpointsOfEnded),
        step("expired artifacts", this::expiredArtifacts),
        step("retired notes", this::retiredNotes),
        step(
            "traces",
            deleteOldestKeys(
                TraceEvent.TABLE, TraceEvent::id, TraceEvent::time, retentionSettings.traces())),
        step(
            "notices",
            deleteOldestKeys(
                Notice.TABLE, Notice::id, Notice::time, retentionSettings.notifications())),
        step(
            "tombstones",
            deleteByTimeIndex(
                Tombstone.TABLE, "forgotten_at", Tombstone::id, retentionSettings.tombstones())),
        step(
            "past notes",
            deleteByTimeIndex(PastNote.TABLE, "until", PastNote::id, retentionSettings.versions())),
        step(
            "past summaries",
            deleteByTimeIndex(
                PastSummary.TABLE, "until", PastSummary::id, retentionSettings.versions())),
        step(
            "policy runs",
            deleteByTimeIndex(
                PolicyRun.TABLE, "done_at", PolicyRun::id, retentionSettings.traces())),
        step(
            "given-up policy runs",
            deleteByTimeIndex(
                PolicyRun.TABLE, "pending_since", PolicyRun::id, retentionSettings.traces())));
  }

  /** Action that removes at most {@code batch} records. */
  private interface CleanupAction {
    CleanupProgress clean(Transaction transaction, int batch);
  }

  private record NamedCleanupStep(String name, CleanupAction work) implements CleanupStep {
    @Override
    public CleanupProgress clean(Transaction transaction, int batch) {
      return work.clean(transaction, batch);
    }
  }

  private static CleanupStep step(String name, CleanupAction cleanupAction) {
    return new NamedCleanupStep(name, cleanupAction);
  }

  /** Step that removes cached vectors that the index no longer uses. */
  record VectorCleanupStep(RecordStore store, SearchIndex index) implements CleanupStep {
    @Override
    public String name() {
      return CleanupResult.VECTORS;
    }

    /** Waits for the index. If it does not catch up, its cached vectors stay. */
    @Override
    public void prepareBatch(SpaceId space) {
      try {
        index.awaitSequence(space, store.changes().head(space).sequence());
      } catch (SearchException e) {
        LOG.info(
            "Space {}: unused cached vectors were not deleted, because the search index is behind; the next cleanup deletes them. Cause: {}",
            space,
            e.getMessage());
      }
    }

    @Override
    public CleanupProgress clean(Transaction transaction, int batch) {
      SearchIndex.VectorPruneResult vectorPruneResult = index.pruneVectors(transaction, batch);
      return new CleanupProgress(vectorPruneResult.removed(), vectorPruneResult.more());
    }
  }

  private CleanupProgress expiredArtifacts(Transaction transaction, int batch) {
    Query<Artifact> query =
        Query.over(Artifact.TABLE, "expires_at")
            .until(cutoff(transaction, retentionSettings.expiredArtifacts()));
    return remove(transaction, query, batch, made -> EntityRef.of(EntityType.ARTIFACT, made.id()));
  }

  /** Removes old checkpoints of ended trajectories; those of others are limited by number. */
  private CleanupProgress checkpointsOfEnded(Transaction transaction, int batch) {
    Query<Checkpoint> query =
        Query.over(Checkpoint.TABLE, "created_at")
            .until(cutoff(transaction, retentionSettings.traces()))
            .where(checkpoint -> isTrajectoryEnded(transaction, checkpoint));
    return remove(transaction, query, batch, one -> EntityRef.of(EntityType.CHECKPOINT, one.id()));
  }

  private static boolean isTrajectoryEnded(Transaction transaction, Checkpoint checkpoint) {
    return transaction
        .find(Trajectory.TABLE, checkpoint.trajectory())
        .filter(trajectory -> !trajectory.status().isTerminal())
        .isEmpty();
  }

  private CleanupProgress retiredNotes(Transaction transaction, int batch) {
    Query<Note> query =
        Query.over(Note.TABLE, "retired_at")
            .until(cutoff(transaction, retentionSettings.versions()));
    return remove(transaction, query, batch, note -> EntityRef.of(EntityType.NOTE, note.id()));
  }

  private <T> CleanupProgress remove(
      Transaction transaction, Query<T> query, int batch, Function<T, EntityRef> reference) {
    UnitOfWork unitOfWork = unitOfWorkFactory.apply(transaction);
    List<T> found = unitOfWork.view().firstUpTo(query, batch);
    found.forEach(record -> unitOfWork.emit(new RecordRemoved(reference.apply(record))));
    return CleanupProgress.ofBatch(found.size(), batch);
  }

  /** Deletes rows along an index of times. */
  private static <T> CleanupAction deleteByTimeIndex(
      Table<T> table, String column, Function<T, Id> id, Duration age) {
    return (transaction, batch) ->
        delete(
            transaction,
            table,
            transaction
                .scan(Query.over(table, column).until(cutoff(transaction, age)), batch)
                .records(),
            id,
            batch);
  }

  /** Deletes rows along the keys, which are ordered by time. */
  private static <T> CleanupAction deleteOldestKeys(
      Table<T> table, Function<T, Id> id, Function<T, Instant> time, Duration age) {
    return (transaction, batch) -> {
      Instant cutoff = cutoff(transaction, age);
      List<T> old =
          transaction.scan(Query.over(table), batch).records().stream()
              .filter(record -> time.apply(record).isBefore(cutoff))
              .toList();
      return delete(transaction, table, old, id, batch);
    };
  }

  private static <T> CleanupProgress delete(
      Transaction transaction, Table<T> table, List<T> found, Function<T, Id> id, int batch) {
    found.forEach(record -> transaction.delete(table, id.apply(record)));
    return CleanupProgress.ofBatch(found.size(), batch);
  }

  private static Instant cutoff(Transaction transaction, Duration age) {
    return transaction.now().minus(age);
  }
}
