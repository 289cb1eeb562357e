package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a return to a checkpoint has done, or would do.
 *
 * @param restoredTo when the checkpoint was made
 * @param scopes those that were rolled back
 * @param turns those that left the live set
 * @param artifacts those that left the live set
 * @param restored artifacts that are live again, because what took their place was rolled back
 * @param checkpoints later ones, which went
 * @param newScope where the trajectory goes on; empty in a preview
 */
public record RolledBack(
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
  public RolledBack {
    scopes = List.copyOf(scopes);
    turns = List.copyOf(turns);
    artifacts = List.copyOf(artifacts);
    restored = List.copyOf(restored);
    checkpoints = List.copyOf(checkpoints);
  }
}
