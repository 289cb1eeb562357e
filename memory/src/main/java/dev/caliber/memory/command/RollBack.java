package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Checkpoint;
import java.util.Optional;

/**
 * Returns a trajectory to a checkpoint. Scopes, turns and artifacts that came later leave the live
 * set and can still be read; the trajectory goes on in a new scope, with the conversation that it
 * had.
 *
 * @param checkpoint the one to return to; empty for the newest
 * @param preview only say what would be rolled back
 */
public record RollBack(Id trajectory, Optional<Id> checkpoint, boolean preview)
    implements Command<RolledBack> {

  public static RollBack toLatest(Id trajectory) {
    return new RollBack(trajectory, Optional.empty(), false);
  }

  public static RollBack to(Checkpoint checkpoint) {
    return new RollBack(checkpoint.trajectory(), Optional.of(checkpoint.id()), false);
  }

  /** The same, but nothing is rolled back. */
  public RollBack previewed() {
    return new RollBack(trajectory, checkpoint, true);
  }
}
