package dev.caliber.store.jdbc;

import dev.caliber.kernel.Limit;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.RecordChange;
import dev.caliber.store.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes of one write, one entry per record: a record that is created and then updated is listed
 * as created.
 */
final class ChangeList {

  private final Limit limit;
  private final Map<ChangedRecord, ChangeKind> kinds = new LinkedHashMap<>();
  private boolean written;

  private record ChangedRecord(Table<?> table, String key) {}

  ChangeList(int limit) {
    this.limit = new Limit("store.writes.changes-limit", limit);
  }

  void add(Table<?> table, String key, ChangeKind kind) {
    written = true;
    ChangedRecord changedRecord = new ChangedRecord(table, key);
    ChangeKind before = kinds.get(changedRecord);
    if (before == null) {
      limit.requireWithin(kinds.size() + 1L);
      kinds.put(changedRecord, kind);
    } else if (before == ChangeKind.CREATED && kind == ChangeKind.DELETED) {
      kinds.remove(changedRecord);
    } else if (before == ChangeKind.DELETED && kind == ChangeKind.CREATED) {
      kinds.put(changedRecord, ChangeKind.UPDATED);
    } else if (before != ChangeKind.CREATED) {
      kinds.put(changedRecord, kind);
    }
  }

  /**
   * Returns whether anything was written, including tables without a feed and changes undone later
   * in the same write.
   */
  boolean hasWrites() {
    return written;
  }

  /** Returns the changes that the feed shows. */
  List<RecordChange> visibleChanges() {
    return kinds.entrySet().stream()
        .filter(entry -> !entry.getKey().table().isExcludedFromFeed())
        .map(
            entry ->
                new RecordChange(
                    entry.getKey().table().name(), entry.getKey().key(), entry.getValue()))
        .toList();
  }
}
