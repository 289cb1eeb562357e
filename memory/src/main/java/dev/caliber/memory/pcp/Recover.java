package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.MemoryException;
import java.util.Optional;

/**
 * A wish to return to a checkpoint.
 *
 * @param checkpoint this one, of whatever trajectory
 * @param trajectory the newest recoverable one of this trajectory
 * @param dryRun only say what would be rolled back
 */
public record Recover(Optional<Id> checkpoint, Optional<Id> trajectory, boolean dryRun) {
  public Recover {
    if (checkpoint.isPresent() == trajectory.isPresent()) {
      throw MemoryException.invalid(
          "recover", "a checkpoint or a trajectory", checkpoint.map(_ -> "both").orElse("neither"));
    }
  }

  public static Recover to(Id checkpoint) {
    return new Recover(Optional.of(checkpoint), Optional.empty(), false);
  }

  public static Recover latest(Id trajectory) {
    return new Recover(Optional.empty(), Optional.of(trajectory), false);
  }

  public Recover dry() {
    return new Recover(checkpoint, trajectory, true);
  }
}
