package dev.caliber.memory;

import dev.caliber.kernel.Id;
import java.time.Instant;
import java.util.List;

/**
 * What a return to a checkpoint has done.
 *
 * @param restoredTo when the checkpoint was made
 * @param scopes those that were rolled back
 * @param turns how many turns left the live set
 * @param artifacts how many artifacts left the live set
 * @param newScope where the trajectory goes on
 */
public record RolledBack(
    Id checkpoint,
    Id trajectory,
    Instant restoredTo,
    List<Id> scopes,
    int turns,
    int artifacts,
    Id newScope,
    Instant recoveredAt) {
  public RolledBack {
    scopes = List.copyOf(scopes);
  }
}
