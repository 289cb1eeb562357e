package dev.caliber.memory.record;

/** Who speaks in a turn. */
public enum Role {
  USER,
  ASSISTANT,
  SYSTEM,
  TOOL
}
