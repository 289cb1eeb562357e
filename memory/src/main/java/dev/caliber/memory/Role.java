package dev.caliber.memory;

/** Who speaks in a turn. */
public enum Role {
  USER,
  ASSISTANT,
  SYSTEM,
  TOOL
}
