package dev.caliber.store;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import java.time.Instant;
import java.util.List;

/**
 * One entry of the change feed. Sequences of a space are dense and in commit order; {@code host}
 * and {@code hostCounter} identify the commit across stores. A commit that writes only to tables
 * without a feed leaves an entry without changes.
 */
public record Commit(
    SpaceId space,
    long sequence,
    Id host,
    long hostCounter,
    Instant time,
    List<RecordChange> changes) {

  public Commit {
    changes = List.copyOf(changes);
  }
}
