package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Durable storage of records in declared tables, per space, with one change feed.
 *
 * <p>Writers take turns, so a write is serialisable without retries; it returns after its commit is
 * on disk. Readers see one snapshot and wait for no writer. Both run the given function at most
 * once.
 */
public interface RecordStore extends AutoCloseable {

  /** Runs {@code work} on one consistent snapshot of the space. */
  <T> T read(SpaceId space, Function<Snapshot, T> work);

  /** Runs {@code work} as one atomic commit, durable on return. */
  <T> T write(SpaceId space, Function<Transaction, T> work);

  /** Runs {@code work}, which returns nothing, as one atomic commit, durable on return. */
  default void commit(SpaceId space, Consumer<Transaction> work) {
    write(
        space,
        transaction -> {
          work.accept(transaction);
          return true;
        });
  }

  /** Returns the change feed: all commits, in order. */
  ChangeFeed changes();

  /** Creates a space if it does not exist; writing to an unknown space is an error. */
  void createSpace(SpaceId space);

  SortedSet<SpaceId> spaces();

  /**
   * Removes the content of deleted records from the engine's own files, where that is possible.
   * SQLite overwrites it in the file when it is deleted; this call checkpoints and empties the log.
   * Returns false where the content remains for now: a reader or a backup is still running, after
   * which it is removed, or the engine overwrites it later (docs/memory.md says which).
   */
  boolean purgeDeleted();

  /** Finishes the accepted writes, then releases files and connections. */
  @Override
  void close();
}
