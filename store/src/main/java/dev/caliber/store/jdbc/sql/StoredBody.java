package dev.caliber.store.jdbc.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Source of truth of a row; all its other columns are computed from it. */
@SuppressWarnings("ArrayRecordComponent")
public // used between driver and codec only, never compared
record StoredBody(long revision, int schema, byte[] json, List<byte @Nullable []> binaries) {

  /** Returns its number of bytes, binaries included. */
  public long size() {
    long size = json.length;
    for (byte[] binary : binaries) {
      size += binary == null ? 0 : binary.length;
    }
    return size;
  }
}
