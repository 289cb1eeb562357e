package dev.caliber.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of a row that is the truth: everything else is computed from it. */
@SuppressWarnings("ArrayRecordComponent") // lives between driver and codec only, never compared
record StoredBody(long revision, int schema, byte[] json, List<byte @Nullable []> binaries) {

  /** How many bytes it has, binaries included. */
  long size() {
    long size = json.length;
    for (byte[] binary : binaries) {
      size += binary == null ? 0 : binary.length;
    }
    return size;
  }
}
