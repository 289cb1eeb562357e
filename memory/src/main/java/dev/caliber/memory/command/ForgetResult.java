package dev.caliber.memory.command;

import dev.caliber.memory.record.EntityRef;
import java.util.List;

/**
 * Result of a forget: the deleted records, or those that would be.
 *
 * @param complete false if more records match than one commit may touch: then repeat the command
 * @param purged whether no file of the store contains the deleted text any more; docs/memory.md
 *     says when that happens otherwise
 */
public record ForgetResult(
    List<EntityRef> records, boolean preview, boolean complete, boolean purged) {
  public ForgetResult {
    records = List.copyOf(records);
  }
}
