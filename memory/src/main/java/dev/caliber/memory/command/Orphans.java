package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import java.util.List;

/**
 * What was ended because nobody works on it any more.
 *
 * @param trajectories those that failed
 * @param scopes those that were closed alone
 */
public record Orphans(List<Id> trajectories, List<Id> scopes) {
  public Orphans {
    trajectories = List.copyOf(trajectories);
    scopes = List.copyOf(scopes);
  }
}
