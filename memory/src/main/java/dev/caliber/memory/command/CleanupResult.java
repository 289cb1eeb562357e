package dev.caliber.memory.command;

import java.util.Map;

/**
 * Result of a clean-up: ended orphans and removed records.
 *
 * @param removed number of removed records by the name of the step
 */
public record CleanupResult(AbandonedWorkResult orphans, Map<String, Long> removed) {
  /** Expired context windows. */
  public static final String WINDOWS = "windows";

  /** Expired leases. */
  public static final String LOCKS = "locks";

  /** Messages that ended longer ago than their retention. */
  public static final String MESSAGES = "messages";

  /** Cached vectors that are not in use. */
  public static final String VECTORS = "vectors";

  public CleanupResult {
    removed = Map.copyOf(removed);
  }

  /** Returns the number of records that a step removed; 0 if there is no such step. */
  public long removedBy(String step) {
    return removed.getOrDefault(step, 0L);
  }
}
