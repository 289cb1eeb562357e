package dev.caliber.memory.command;

import java.util.Map;

/**
 * What a clean-up has ended and removed.
 *
 * @param removed how many records went, by the name of the step that removed them
 */
public record Swept(Orphans orphans, Map<String, Long> removed) {
  /** Context windows whose time is over. */
  public static final String WINDOWS = "windows";

  /** Leases whose time is over. */
  public static final String LOCKS = "locks";

  /** Messages that ended long ago. */
  public static final String MESSAGES = "messages";

  /** Vectors in the cache that nothing uses. */
  public static final String VECTORS = "vectors";

  public Swept {
    removed = Map.copyOf(removed);
  }

  /** How many that step has removed; none if there is no such step. */
  public long removed(String step) {
    return removed.getOrDefault(step, 0L);
  }
}
