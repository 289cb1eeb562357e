package dev.caliber.memory.record;

/** Role of the speaker of a turn. */
public enum TurnRole {
  USER,
  ASSISTANT,
  SYSTEM,
  TOOL
}
