package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import java.util.List;

/**
 * Trajectories and scopes that clean-up ended for lack of activity.
 *
 * @param trajectories trajectories that failed
 * @param scopes scopes that were closed without their trajectory
 */
public record AbandonedWorkResult(List<Id> trajectories, List<Id> scopes) {
  public AbandonedWorkResult {
    trajectories = List.copyOf(trajectories);
    scopes = List.copyOf(scopes);
  }
}
