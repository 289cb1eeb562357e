package dev.caliber.store.maintenance;

/** Treatment of a line whose key already exists in the store. */
public enum ImportMode {
  /** The import is refused. */
  FAIL,
  /** The store's record is kept. */
  SKIP,
  /** The line's record replaces the store's, unknown fields included. */
  REPLACE
}
