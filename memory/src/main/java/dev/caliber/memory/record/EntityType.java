package dev.caliber.memory.record;

import java.util.Locale;

/** Type of an entity that records refer to. */
public enum EntityType {
  TRAJECTORY,
  SCOPE,
  ARTIFACT,
  NOTE,
  AGENT,
  TURN,
  CHECKPOINT,
  WINDOW,
  SUBJECT;

  /** Returns the name in lower case. */
  public String lowerCaseName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
