package dev.caliber.store;

import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import java.time.Clock;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Function;

/**
 * Everything durable: records in declared tables, per space, with one change feed.
 *
 * <p>Writers take turns, so a write is serialisable without retries; it returns after its commit is
 * on disk. Readers see one snapshot and wait for nobody. Both run the given function at most once.
 */
public interface RecordStore extends AutoCloseable {

  /** Opens a store, adding tables, columns and indexes that it lacks. */
  static RecordStore open(StoreConfig config, List<Table<?>> tables, Clock clock, Ids ids) {
    return JdbcRecordStore.open(config, tables, clock, ids);
  }

  /** Runs {@code work} on one consistent snapshot of the space. */
  <T> T read(SpaceId space, Function<Snapshot, T> work);

  /** Runs {@code work} as one atomic commit, durable on return. */
  <T> T write(SpaceId space, Function<Transaction, T> work);

  /** What was committed, in order. */
  ChangeFeed changes();

  /** Makes a space if it is not there; writing to an unknown space is an error. */
  void createSpace(SpaceId space);

  SortedSet<SpaceId> spaces();

  /**
   * Removes what deleted records have said from the engine's own files, where it can: SQLite
   * overwrites it in the file when it is deleted, and this writes its log back and empties it.
   * False where something still keeps it: a reader or a backup that has not ended, after which it
   * goes by itself, or an engine that overwrites later (docs/memory.md says which).
   */
  boolean purgeDeleted();

  /** Finishes the writes that were accepted, then lets go of files and connections. */
  @Override
  void close();
}
