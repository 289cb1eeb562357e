package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/**
 * Point that a trajectory can return to. It copies nothing: the sequence identifies the commits
 * before it, and the positions the turns.
 *
 * @param sequence the last commit of the space that belongs to it
 * @param scopes the sequence that the next scope would have had
 * @param turns the position that the next turn would have had
 * @param activeScope the sequence of the current scope, if one was open
 * @param window the context window that was assembled last, if any
 * @param ledger whether the ledger of its window is stored; added on reading and never stored
 */
public record Checkpoint(
    Id id,
    Id trajectory,
    Optional<Id> scope,
    long sequence,
    TrajectoryStatus status,
    int scopes,
    Optional<Integer> activeScope,
    int turns,
    Optional<Id> window,
    boolean recoverable,
    Instant createdAt,
    Optional<Boolean> ledger) {

  public static final Table<Checkpoint> TABLE =
      Table.of(
              "checkpoint",
              "Points that trajectories can return to.",
              Checkpoint.class,
              Checkpoint::id)
          .text("trajectory", checkpoint -> checkpoint.trajectory.toString())
          .text("scope", checkpoint -> NullableColumns.textOrNull(checkpoint.scope))
          .instant("created_at", Checkpoint::createdAt)
          .index("trajectory", "created_at")
          .index("created_at");

  /** Returns this checkpoint with the information whether the ledger of its window is stored. */
  public Checkpoint withLedgerKept(boolean kept) {
    return new Checkpoint(
        id,
        trajectory,
        scope,
        sequence,
        status,
        scopes,
        activeScope,
        turns,
        window,
        recoverable,
        createdAt,
        Optional.of(kept));
  }
}
