package dev.caliber.store;

import dev.caliber.kernel.SpaceId;

/**
 * A record's line of an export that has been checked.
 *
 * @param body what will be stored, but for the revision, which is 0 here
 */
record ImportLine<T>(
    TableRuntime<T> runtime, SpaceId space, String key, StoredBody body, T record) {

  StoredBody bodyAt(long revision) {
    return new StoredBody(revision, body.schema(), body.json(), body.binaries());
  }
}
