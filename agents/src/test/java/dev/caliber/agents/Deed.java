package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;

/**
 * Action of a process in the two-process test, written in its commit.
 *
 * @param about a resource, a message or work
 * @param token of the lease; 0 without a lease
 */
record Deed(Id id, long sequence, Kind kind, String about, long token) {
  static final Table<Deed> TABLE =
      Table.of("deed", "What processes did, for a test.", Deed.class, Deed::id)
          .integer("sequence", Deed::sequence)
          .index("sequence");

  /** Kind of action. */
  enum Kind {
    GRANTED_ALONE,
    GRANTED_SHARED,
    WRITTEN_ALONE,
    WRITTEN_SHARED,
    SENT,
    ACKNOWLEDGED,
    /** Accepted delegation or handoff. */
    ACCEPTED;

    static Kind granted(LeaseMode mode) {
      return mode == LeaseMode.EXCLUSIVE ? GRANTED_ALONE : GRANTED_SHARED;
    }

    static Kind written(LeaseMode mode) {
      return mode == LeaseMode.EXCLUSIVE ? WRITTEN_ALONE : WRITTEN_SHARED;
    }
  }
}
