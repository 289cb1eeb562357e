package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;

/**
 * What a process of the two-process test did, written in the commit in which it did it.
 *
 * @param about a resource, a message or work
 * @param token of the lease; 0 for what is no lease
 */
record Deed(Id id, long sequence, Kind kind, String about, long token) {
  static final Table<Deed> TABLE =
      Table.of("deed", "What processes did, for a test.", Deed.class, Deed::id)
          .integer("sequence", Deed::sequence)
          .index("sequence");

  /** What was done. */
  enum Kind {
    GRANTED_ALONE,
    GRANTED_SHARED,
    WRITTEN_ALONE,
    WRITTEN_SHARED,
    SENT,
    ACKNOWLEDGED,
    /** Work that was delegated, or a task that was handed over. */
    ACCEPTED;

    static Kind granted(LeaseMode mode) {
      return mode == LeaseMode.EXCLUSIVE ? GRANTED_ALONE : GRANTED_SHARED;
    }

    static Kind written(LeaseMode mode) {
      return mode == LeaseMode.EXCLUSIVE ? WRITTEN_ALONE : WRITTEN_SHARED;
    }
  }
}
