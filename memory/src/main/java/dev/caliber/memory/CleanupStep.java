package dev.caliber.memory;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Transaction;

/** Step of periodic clean-up that a module registers; each runs in commits of its own. */
public interface CleanupStep {

  /** Returns the name under which a report counts the removed records. */
  String name();

  /** Waits for what the next commit needs; called before each commit, outside of it. */
  default void prepareBatch(SpaceId space) {}

  /** Removes at most {@code batch} records in this commit. */
  CleanupProgress clean(Transaction transaction, int batch);

  /**
   * Result of one commit.
   *
   * @param removed number of removed records, if the step counts them
   * @param more false when nothing is left to do
   */
  record CleanupProgress(int removed, boolean more) {

    /** Reports a batch; a full batch means that there may be more. */
    public static CleanupProgress ofBatch(int removed, int batch) {
      return new CleanupProgress(removed, removed == batch);
    }

    /** Reports a commit without a number of records. */
    public static CleanupProgress uncounted(boolean more) {
      return new CleanupProgress(0, more);
    }
  }
}
