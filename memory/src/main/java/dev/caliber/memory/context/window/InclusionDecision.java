package dev.caliber.memory.context.window;

/** Decision on a candidate. */
public enum InclusionDecision {
  INCLUDE,
  /** Included as its main sentences. */
  COMPRESS,
  /** Included up to the end of a sentence, or up to the format's limit of characters. */
  TRUNCATE,
  EXCLUDE;

  public boolean isIncluded() {
    return this != EXCLUDE;
  }
}
