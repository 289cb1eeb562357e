package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Checkpoint;
import java.util.Optional;

/**
 * Command that returns a trajectory to a checkpoint. Later scopes, turns and artifacts leave the
 * live set and stay readable; the trajectory continues in a new scope with the conversation of the
 * checkpoint.
 *
 * @param checkpoint the target; empty for the newest
 * @param preview reports what would be rolled back, without a change
 */
public record RollBackTrajectory(Id trajectory, Optional<Id> checkpoint, boolean preview)
    implements Command<RollBackResult> {

  public static RollBackTrajectory toLatestCheckpoint(Id trajectory) {
    return new RollBackTrajectory(trajectory, Optional.empty(), false);
  }

  public static RollBackTrajectory toCheckpoint(Checkpoint checkpoint) {
    return new RollBackTrajectory(checkpoint.trajectory(), Optional.of(checkpoint.id()), false);
  }

  /** Returns this command as a preview. */
  public RollBackTrajectory asPreview() {
    return new RollBackTrajectory(trajectory, checkpoint, true);
  }
}
