package dev.caliber.memory.command;

import dev.caliber.memory.record.EntityRef;
import java.util.List;

/**
 * What was forgotten, or would be.
 *
 * @param complete false when there is more than one commit may touch: then ask again
 */
public record Forgotten(List<EntityRef> records, boolean preview, boolean complete) {
  public Forgotten {
    records = List.copyOf(records);
  }
}
