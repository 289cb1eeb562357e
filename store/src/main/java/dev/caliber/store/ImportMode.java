package dev.caliber.store;

/** What becomes of a line whose key is in the store already. */
public enum ImportMode {
  /** The import is refused. */
  FAIL,
  /** The store's record stays. */
  SKIP,
  /** The line's record takes the place of the store's, unknown fields included. */
  REPLACE
}
