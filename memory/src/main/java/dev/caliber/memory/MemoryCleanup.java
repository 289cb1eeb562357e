package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.CleanupResult;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.event.MemoryEvent.RecordRemoved;
import dev.caliber.memory.event.Notice;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.policy.RetentionEnforcer;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.CleanupStep;
import dev.caliber.memory.view.CleanupStep.CleanupProgress;
import dev.caliber.memory.view.MemoryConfig;
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
        CleanupStep.of(
            "retention",
            (transaction, _) ->
                CleanupProgress.uncounted(
                    new RetentionEnforcer(unitOfWorkFactory.apply(transaction)).enforceInSpace())),
        CleanupStep.of("checkpoints", this::checkpointsOfEnded),
        CleanupStep.of("expired artifacts", this::expiredArtifacts),
        CleanupStep.of("retired notes", this::retiredNotes),
        deletingOldestKeys("traces", TraceEvent.TABLE, retentionSettings.traces()),
        deletingOldestKeys("notices", Notice.TABLE, retentionSettings.notifications()),
        CleanupStep.deletingOlder(
            "tombstones", Tombstone.TABLE, "forgotten_at", retentionSettings.tombstones()),
        CleanupStep.deletingOlder(
            "past notes", PastNote.TABLE, "until", retentionSettings.versions()),
        CleanupStep.deletingOlder(
            "past summaries", PastSummary.TABLE, "until", retentionSettings.versions()),
        CleanupStep.deletingOlder(
            "policy runs", PolicyRun.TABLE, "done_at", retentionSettings.traces()),
        CleanupStep.deletingOlder(
            "given-up policy runs", PolicyRun.TABLE, "pending_since", retentionSettings.traces()));
  }

  /** Step that deletes rows along the keys, which begin with their time. */
  private static <T> CleanupStep deletingOldestKeys(String name, Table<T> table, Duration age) {
    return CleanupStep.deleting(
        name,
        transaction -> Query.over(table).until(Id.smallestAt(cutoff(transaction, age)).toString()));
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
    List<T> found = unitOfWork.view().snapshot().list(query, batch);
    found.forEach(record -> unitOfWork.emit(new RecordRemoved(reference.apply(record))));
    return CleanupProgress.ofBatch(found.size(), batch);
  }

  private static Instant cutoff(Transaction transaction, Duration age) {
    return transaction.now().minus(age);
  }
}
