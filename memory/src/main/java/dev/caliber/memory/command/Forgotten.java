package dev.caliber.memory.command;

import dev.caliber.memory.record.EntityRef;
import java.util.List;

/**
 * What was forgotten, or would be.
 *
 * @param complete false when there is more than one commit may touch: then ask again
 * @param purged whether no file of the store holds the words any more; docs/memory.md says when
 *     they go otherwise
 */
public record Forgotten(
    List<EntityRef> records, boolean preview, boolean complete, boolean purged) {
  public Forgotten {
    records = List.copyOf(records);
  }
}
