package dev.caliber.memory.record;

/** How an artifact came to be. */
public enum ExtractionMethod {
  /** An agent made it on purpose. */
  EXPLICIT,
  /** Found in what was said, by rules or a model. */
  INFERRED,
  USER_PROVIDED
}
