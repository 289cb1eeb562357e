package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.CleanupStep.Cleaned;
import dev.caliber.memory.command.Swept;
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

/** What goes by itself in this room, by settings. */
final class Cleanup {
  private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);

  private final MemoryConfig.Retention retention;
  private final Function<Transaction, Desk> desks;

  Cleanup(MemoryConfig.Retention retention, Function<Transaction, Desk> desks) {
    this.retention = retention;
    this.desks = desks;
  }

  List<CleanupStep> steps() {
    return List.of(
        step(
            "retention",
            (transaction, _) -> Cleaned.uncounted(new Retaining(desks.apply(transaction)).clean())),
        step("checkpoints", this::checkpointsOfEnded),
        step("expired artifacts", this::expiredArtifacts),
        step("retired notes", this::retiredNotes),
        step(
            "traces",
            oldest(TraceEvent.TABLE, TraceEvent::id, TraceEvent::time, retention.traces())),
        step("notices", oldest(Notice.TABLE, Notice::id, Notice::time, retention.notices())),
        step(
            "tombstones",
            along(Tombstone.TABLE, "forgotten_at", Tombstone::id, retention.tombstones())),
        step("past notes", along(PastNote.TABLE, "until", PastNote::id, retention.history())),
        step(
            "past summaries",
            along(PastSummary.TABLE, "until", PastSummary::id, retention.history())),
        step("policy runs", along(PolicyRun.TABLE, "done_at", PolicyRun::id, retention.traces())),
        step(
            "given-up policy runs",
            along(PolicyRun.TABLE, "pending_since", PolicyRun::id, retention.traces())));
  }

  /** Removes at most so many. */
  private interface Work {
    Cleaned clean(Transaction transaction, int batch);
  }

  private record Step(String name, Work work) implements CleanupStep {
    @Override
    public Cleaned clean(Transaction transaction, int batch) {
      return work.clean(transaction, batch);
    }
  }

  private static CleanupStep step(String name, Work work) {
    return new Step(name, work);
  }

  /** Vectors that a search has kept and no longer uses. */
  record Vectors(RecordStore store, SearchIndex index) implements CleanupStep {
    @Override
    public String name() {
      return Swept.VECTORS;
    }

    /** An index that does not catch up takes no vectors away. */
    @Override
    public void prepare(SpaceId space) {
      try {
        index.await(space, store.changes().head(space).sequence());
      } catch (SearchException e) {
        LOG.info("Cached vectors of space {} are left alone: {}", space, e.getMessage());
      }
    }

    @Override
    public Cleaned clean(Transaction transaction, int batch) {
      SearchIndex.Pruned pruned = index.prune(transaction, batch);
      return new Cleaned(pruned.removed(), pruned.more());
    }
  }

  private Cleaned expiredArtifacts(Transaction transaction, int batch) {
    Query<Artifact> query =
        Query.over(Artifact.TABLE, "expires_at").until(before(transaction, retention.expired()));
    return remove(transaction, query, batch, made -> EntityRef.of(EntityType.ARTIFACT, made.id()));
  }

  /** Nobody can return to them; those of a trajectory that goes on are counted instead. */
  private Cleaned checkpointsOfEnded(Transaction transaction, int batch) {
    Query<Checkpoint> query =
        Query.over(Checkpoint.TABLE, "created_at")
            .until(before(transaction, retention.traces()))
            .where(checkpoint -> isOver(transaction, checkpoint));
    return remove(transaction, query, batch, one -> EntityRef.of(EntityType.CHECKPOINT, one.id()));
  }

  private static boolean isOver(Transaction transaction, Checkpoint checkpoint) {
    return transaction
        .find(Trajectory.TABLE, checkpoint.trajectory())
        .filter(trajectory -> !trajectory.status().isTerminal())
        .isEmpty();
  }

  private Cleaned retiredNotes(Transaction transaction, int batch) {
    Query<Note> query =
        Query.over(Note.TABLE, "retired_at").until(before(transaction, retention.history()));
    return remove(transaction, query, batch, note -> EntityRef.of(EntityType.NOTE, note.id()));
  }

  private <T> Cleaned remove(
      Transaction transaction, Query<T> query, int batch, Function<T, EntityRef> reference) {
    Desk desk = desks.apply(transaction);
    List<T> found = desk.view().upTo(query, batch);
    found.forEach(record -> desk.emit(new RecordRemoved(reference.apply(record))));
    return Cleaned.of(found.size(), batch);
  }

  /** Along an index of times. */
  private static <T> Work along(Table<T> table, String column, Function<T, Id> id, Duration age) {
    return (transaction, batch) ->
        delete(
            transaction,
            table,
            transaction
                .scan(Query.over(table, column).until(before(transaction, age)), batch)
                .records(),
            id,
            batch);
  }

  /** Along the keys, which are ordered by time. */
  private static <T> Work oldest(
      Table<T> table, Function<T, Id> id, Function<T, Instant> time, Duration age) {
    return (transaction, batch) -> {
      Instant cutoff = before(transaction, age);
      List<T> old =
          transaction.scan(Query.over(table), batch).records().stream()
              .filter(record -> time.apply(record).isBefore(cutoff))
              .toList();
      return delete(transaction, table, old, id, batch);
    };
  }

  private static <T> Cleaned delete(
      Transaction transaction, Table<T> table, List<T> found, Function<T, Id> id, int batch) {
    found.forEach(record -> transaction.delete(table, id.apply(record)));
    return Cleaned.of(found.size(), batch);
  }

  private static Instant before(Transaction transaction, Duration age) {
    return transaction.now().minus(age);
  }
}
