package dev.caliber.memory.record;

import java.util.Locale;

/** The kinds of things that records point at. */
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

  /** As people write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
