package dev.caliber.agents.lease;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;

/**
 * Action of a process in the two-process test, written in its commit.
 *
 * @param about a resource, a message or work
 * @param token of the lease; 0 without a lease
 */
public record Deed(Id id, long sequence, Kind kind, String about, long token) {
  public static final Table<Deed> TABLE =
      Table.of("deed", "What processes did, for a test.", Deed.class, Deed::id)
          .integer("sequence", Deed::sequence)
          .index("sequence");

  /** Kind of action. */
  public enum Kind {
    GRANTED_ALONE,
    GRANTED_SHARED,
    WRITTEN_ALONE,
    WRITTEN_SHARED,
    SENT,
    ACKNOWLEDGED,
    /** Accepted delegation or handoff. */
    ACCEPTED;

    public static Kind granted(LeaseMode mode) {
      return mode == LeaseMode.EXCLUSIVE ? GRANTED_ALONE : GRANTED_SHARED;
    }

    public static Kind written(LeaseMode mode) {
      return mode == LeaseMode.EXCLUSIVE ? WRITTEN_ALONE : WRITTEN_SHARED;
    }
  }
}
