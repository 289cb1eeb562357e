package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;

/**
 * How many scopes a trajectory has had, if its last one is gone: no sequence is given twice,
 * because checkpoints speak of scopes by their sequence.
 *
 * @param id the trajectory's
 */
public record ScopeCount(Id id, int scopes) {

  public static final Table<ScopeCount> TABLE =
      Table.of(
              "scope_count",
              "How many scopes trajectories have had whose last one is gone.",
              ScopeCount.class,
              ScopeCount::id)
          .integer("scopes", ScopeCount::scopes)
          .quiet();
}
