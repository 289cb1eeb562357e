package dev.caliber.store.search.format;

import dev.caliber.store.FeedCursor;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Progress of an index.
 *
 * @param cursor the feed position that it has applied; while it is built, the position from which
 *     the feed will be applied
 * @param complete whether all records were read
 * @param scanTable the table that is being read, while it is built
 * @param scanKey the last key of it that was read
 */
public record IndexState(
    FeedCursor cursor, boolean complete, Optional<String> scanTable, Optional<String> scanKey) {

  public static IndexState beginning(FeedCursor head) {
    return new IndexState(head, false, Optional.empty(), Optional.empty());
  }

  public IndexState withCursor(FeedCursor other) {
    return new IndexState(other, complete, scanTable, scanKey);
  }

  public IndexState withScanPosition(String table, Optional<String> key) {
    return new IndexState(cursor, false, Optional.of(table), key);
  }

  public IndexState asComplete() {
    return new IndexState(cursor, true, Optional.empty(), Optional.empty());
  }

  public Map<String, String> userData() {
    Map<String, String> data = new HashMap<>();
    data.put(IndexFormatV1.EPOCH, Long.toString(cursor.epoch()));
    data.put(IndexFormatV1.SEQUENCE, Long.toString(cursor.sequence()));
    data.put(IndexFormatV1.COMPLETE, Boolean.toString(complete));
    scanTable.ifPresent(table -> data.put(IndexFormatV1.SCAN_TABLE, table));
    scanKey.ifPresent(key -> data.put(IndexFormatV1.SCAN_KEY, key));
    return data;
  }

  /** Parses the state; empty if the user data belong to another program. */
  public static Optional<IndexState> fromUserData(Map<String, String> data) {
    String epoch = data.get(IndexFormatV1.EPOCH);
    String sequence = data.get(IndexFormatV1.SEQUENCE);
    if (epoch == null || sequence == null) {
      return Optional.empty();
    }
    return Optional.of(
        new IndexState(
            new FeedCursor(Long.parseLong(epoch), Long.parseLong(sequence)),
            Boolean.parseBoolean(data.get(IndexFormatV1.COMPLETE)),
            Optional.ofNullable(data.get(IndexFormatV1.SCAN_TABLE)),
            Optional.ofNullable(data.get(IndexFormatV1.SCAN_KEY))));
  }
}
