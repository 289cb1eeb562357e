package dev.caliber.memory;

import dev.caliber.store.Transaction;

/**
 * Something that goes by itself after a while. Rooms register their steps; all run in turn, each in
 * commits of its own.
 */
public interface CleanupStep {

  /** As logs show it. */
  String name();

  /** Removes at most {@code batch} records in this commit; false when nothing is left to do. */
  boolean clean(Transaction transaction, int batch);
}
