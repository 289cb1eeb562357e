package dev.caliber.store.maintenance;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.jdbc.sql.PreparedTable;
import dev.caliber.store.jdbc.sql.StoredBody;

/**
 * Verified record line of an export.
 *
 * @param body the body to store, with revision 0
 */
record ImportLine<T>(
    PreparedTable<T> runtime, SpaceId space, String key, StoredBody body, T record) {

  StoredBody bodyAt(long revision) {
    return new StoredBody(revision, body.schema(), body.json(), body.binaries());
  }
}
