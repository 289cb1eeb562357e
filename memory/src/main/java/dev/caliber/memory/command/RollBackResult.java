package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Result of a return to a checkpoint, or of its preview.
 *
 * @param restoredTo when the checkpoint was made
 * @param scopes scopes that were rolled back
 * @param turns turns that left the live set
 * @param artifacts artifacts that left the live set
 * @param restored artifacts that are live again, because their successor was rolled back
 * @param checkpoints later checkpoints, which were removed
 * @param newScope the scope in which the trajectory continues; empty in a preview
 */
public record RollBackResult(
    Id checkpoint,
    Id trajectory,
    Instant restoredTo,
    List<Id> scopes,
    List<Id> turns,
    List<Id> artifacts,
    List<Id> restored,
    List<Id> checkpoints,
    Optional<Id> newScope,
    Instant recoveredAt) {
  public RollBackResult {
    scopes = List.copyOf(scopes);
    turns = List.copyOf(turns);
    artifacts = List.copyOf(artifacts);
    restored = List.copyOf(restored);
    checkpoints = List.copyOf(checkpoints);
  }
}
