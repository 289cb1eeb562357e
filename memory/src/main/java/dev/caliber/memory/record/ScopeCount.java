package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;

/**
 * Number of scopes that a trajectory has had, kept if its last scope was removed. No sequence is
 * used twice, because checkpoints refer to scopes by sequence.
 *
 * @param id id of the trajectory
 */
public record ScopeCount(Id id, int scopes) {

  public static final Table<ScopeCount> TABLE =
      Table.of(
              "scope_count",
              "Scope counts of trajectories whose last scope was removed.",
              ScopeCount.class,
              ScopeCount::id)
          .integer("scopes", ScopeCount::scopes)
          .withoutFeed();
}
