package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import java.util.List;

/**
 * What was forgotten, for the rooms that may quote it.
 *
 * @param trajectories the tasks that the records belong to, or were learned in
 */
public record Quoted(List<EntityRef> records, List<Id> trajectories) {
  public Quoted {
    records = List.copyOf(records);
    trajectories = List.copyOf(trajectories);
  }
}
