package dev.caliber.memory.record;

/** Method by which an artifact was created. */
public enum ExtractionMethod {
  /** Created by an agent on purpose. */
  EXPLICIT,
  /** Found in turns, by rules or a model. */
  INFERRED,
  USER_PROVIDED
}
