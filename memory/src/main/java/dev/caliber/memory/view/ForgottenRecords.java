package dev.caliber.memory.view;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import java.util.List;

/**
 * Forgotten records, for modules that may quote them.
 *
 * @param trajectories the trajectories that the records belong to, or were learned in
 */
public record ForgottenRecords(List<EntityRef> records, List<Id> trajectories) {
  public ForgottenRecords {
    records = List.copyOf(records);
    trajectories = List.copyOf(trajectories);
  }
}
