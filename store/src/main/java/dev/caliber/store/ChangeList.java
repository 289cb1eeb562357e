package dev.caliber.store;

import dev.caliber.kernel.Limit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one write did, one entry a record: created and then changed is still created. */
final class ChangeList {

  private final Limit limit;
  private final Map<Touched, ChangeKind> kinds = new LinkedHashMap<>();
  private boolean written;

  private record Touched(Table<?> table, String key) {}

  ChangeList(int limit) {
    this.limit = new Limit("store.writes.changes-limit", limit);
  }

  void add(Table<?> table, String key, ChangeKind kind) {
    written = true;
    Touched touched = new Touched(table, key);
    ChangeKind before = kinds.get(touched);
    if (before == null) {
      limit.check(kinds.size() + 1L);
      kinds.put(touched, kind);
    } else if (before == ChangeKind.CREATED && kind == ChangeKind.DELETED) {
      kinds.remove(touched);
    } else if (before == ChangeKind.DELETED && kind == ChangeKind.CREATED) {
      kinds.put(touched, ChangeKind.UPDATED);
    } else if (before != ChangeKind.CREATED) {
      kinds.put(touched, kind);
    }
  }

  /** Whether anything was written, be it to quiet tables or undone again. */
  boolean written() {
    return written;
  }

  /** The changes that the feed shows. */
  List<Change> visible() {
    return kinds.entrySet().stream()
        .filter(entry -> !entry.getKey().table().isQuiet())
        .map(
            entry ->
                new Change(entry.getKey().table().name(), entry.getKey().key(), entry.getValue()))
        .toList();
  }
}
