package dev.caliber.store;

import dev.caliber.kernel.SpaceId;

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
