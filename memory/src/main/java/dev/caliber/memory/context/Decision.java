package dev.caliber.memory.context;

/** What became of a candidate. */
public enum Decision {
  INCLUDE,
  /** Included as the sentences that say most. */
  COMPRESS,
  /** Included up to a sentence's end, or to as many characters as the format shows. */
  TRUNCATE,
  EXCLUDE;

  public boolean isIn() {
    return this != EXCLUDE;
  }
}
