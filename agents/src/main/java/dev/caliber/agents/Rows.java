package dev.caliber.agents;

import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Walks along the indexes of a snapshot.
 *
 * @param page how many rows are read at once
 */
record Rows(Snapshot snapshot, int page) {

  /** The finest time that the store tells apart. */
  private static final long MICROSECOND = 1000;

  /** Every row: for what a written limit keeps short. */
  <T> List<T> all(Query<T> query) {
    return upTo(query, Integer.MAX_VALUE);
  }

  <T> List<T> upTo(Query<T> query, int limit) {
    Page<T> part = snapshot.scan(query, Math.min(limit, page));
    List<T> found = new ArrayList<>(part.records());
    while (part.next().isPresent() && found.size() < limit) {
      int rest = Math.min(limit - found.size(), page);
      part = snapshot.scan(query.resume(part.next().get()), rest);
      found.addAll(part.records());
    }
    return List.copyOf(found);
  }

  /** The first in the order of a column of times; rows without a time are left out. */
  <T> Optional<T> earliest(Query<T> query) {
    return snapshot.first(query.from(Instant.EPOCH));
  }

  /** Those whose time has come, earliest first. */
  <T> List<T> due(Query<T> query, Instant now, int limit) {
    return upTo(query.from(Instant.EPOCH).until(now.plusNanos(MICROSECOND)), limit);
  }
}
