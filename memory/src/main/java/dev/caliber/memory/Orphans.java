package dev.caliber.memory;

import dev.caliber.kernel.Id;
import java.util.List;

/**
 * What a sweep has ended.
 *
 * @param trajectories those that failed
 * @param scopes those that were closed alone
 * @param complete false when there is more than one commit may touch: then ask again
 */
public record Orphans(List<Id> trajectories, List<Id> scopes, boolean complete) {
  public Orphans {
    trajectories = List.copyOf(trajectories);
    scopes = List.copyOf(scopes);
  }
}
