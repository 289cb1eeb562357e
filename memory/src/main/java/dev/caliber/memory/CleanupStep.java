package dev.caliber.memory;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Transaction;

/**
 * Something that goes by itself after a while. Rooms register their steps; all run in turn, each in
 * commits of its own.
 */
public interface CleanupStep {

  /** What it removes; a report counts by this name. */
  String name();

  /** Waits for what a commit of it needs; called before each, outside of it. */
  default void prepare(SpaceId space) {}

  /** Removes at most {@code batch} records in this commit. */
  Cleaned clean(Transaction transaction, int batch);

  /**
   * What one commit has done.
   *
   * @param removed how many records went, as far as the step counts them
   * @param more false when nothing is left to do
   */
  record Cleaned(int removed, boolean more) {

    /** Of a step that removes as many as it finds: after a full batch there may be more. */
    public static Cleaned of(int removed, int batch) {
      return new Cleaned(removed, removed == batch);
    }

    /** Of a step that nobody counts. */
    public static Cleaned uncounted(boolean more) {
      return new Cleaned(0, more);
    }
  }
}
