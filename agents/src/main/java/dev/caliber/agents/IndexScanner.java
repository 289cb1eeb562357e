package dev.caliber.agents;

import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Range reads over the indexes of a snapshot.
 *
 * @param pageSize number of rows read at once
 */
record IndexScanner(Snapshot snapshot, int pageSize) {

  /** Resolution of times in the store. */
  private static final long MICROSECOND = 1000;

  /** Returns every row, for queries whose result a setting bounds. */
  <T> List<T> allRows(Query<T> query) {
    return firstRows(query, Integer.MAX_VALUE);
  }

  <T> List<T> firstRows(Query<T> query, int limit) {
    Page<T> part = snapshot.scan(query, Math.min(limit, pageSize));
    List<T> found = new ArrayList<>(part.records());
    while (part.next().isPresent() && found.size() < limit) {
      int rest = Math.min(limit - found.size(), pageSize);
      part = snapshot.scan(query.resume(part.next().get()), rest);
      found.addAll(part.records());
    }
    return List.copyOf(found);
  }

  /** Returns the first row by a column of times; rows without a time are left out. */
  <T> Optional<T> earliest(Query<T> query) {
    return snapshot.first(query.from(Instant.EPOCH));
  }

  /** Returns the rows whose time has come, earliest first. */
  <T> List<T> dueRows(Query<T> query, Instant now, int limit) {
    return firstRows(query.from(Instant.EPOCH).until(now.plusNanos(MICROSECOND)), limit);
  }
}
