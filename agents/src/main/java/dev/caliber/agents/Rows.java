package dev.caliber.agents;

import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Walks along an index. */
final class Rows {
  private static final int PAGE_BOUND = 500;

  /** The finest time that the store tells apart. */
  private static final long MICROSECOND = 1000;

  private Rows() {}

  /** Every row: for what a written limit keeps short. */
  static <T> List<T> all(Snapshot snapshot, Query<T> query) {
    return upTo(snapshot, query, Integer.MAX_VALUE);
  }

  static <T> List<T> upTo(Snapshot snapshot, Query<T> query, int limit) {
    List<T> found = new ArrayList<>();
    Page<T> page = snapshot.scan(query, Math.min(limit, PAGE_BOUND));
    found.addAll(page.records());
    while (page.next().isPresent() && found.size() < limit) {
      int rest = Math.min(limit - found.size(), PAGE_BOUND);
      page = snapshot.scan(query.resume(page.next().get()), rest);
      found.addAll(page.records());
    }
    return List.copyOf(found);
  }

  /** The first in the order of a column of times; rows without a time are left out. */
  static <T> Optional<T> earliest(Snapshot snapshot, Query<T> query) {
    return upTo(snapshot, query.from(Instant.EPOCH), 1).stream().findFirst();
  }

  /** Those whose time has come, earliest first. */
  static <T> List<T> due(Snapshot snapshot, Query<T> query, Instant now, int limit) {
    return upTo(snapshot, query.from(Instant.EPOCH).until(now.plusNanos(MICROSECOND)), limit);
  }
}
