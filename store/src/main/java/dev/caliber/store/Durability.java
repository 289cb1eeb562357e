package dev.caliber.store;

/** Point at which a write counts as done. */
public enum Durability {
  /** The commit is on disk before the write returns. */
  FULL,
  /**
   * The commit is handed to the operating system: a power cut may lose the last ones, never tear
   * one.
   */
  RELAXED
}
