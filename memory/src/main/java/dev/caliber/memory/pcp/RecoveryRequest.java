package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.MemoryException;
import java.util.Optional;

/**
 * Request to return to a checkpoint.
 *
 * @param checkpoint this checkpoint, of any trajectory
 * @param trajectory the newest recoverable checkpoint of this trajectory
 * @param dryRun only preview what would be rolled back
 */
public record RecoveryRequest(Optional<Id> checkpoint, Optional<Id> trajectory, boolean dryRun) {
  public RecoveryRequest {
    if (checkpoint.isPresent() == trajectory.isPresent()) {
      throw MemoryException.invalid(
          "recover", "a checkpoint or a trajectory", checkpoint.map(_ -> "both").orElse("neither"));
    }
  }

  public static RecoveryRequest toCheckpoint(Id checkpoint) {
    return new RecoveryRequest(Optional.of(checkpoint), Optional.empty(), false);
  }

  public static RecoveryRequest toLatest(Id trajectory) {
    return new RecoveryRequest(Optional.empty(), Optional.of(trajectory), false);
  }

  public RecoveryRequest withDryRun() {
    return new RecoveryRequest(checkpoint, trajectory, true);
  }
}
