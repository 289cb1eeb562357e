package dev.caliber.memory.record;

/** What a note says. */
public enum NoteType {
  CONVENTION,
  STRATEGY,
  GOTCHA,
  FACT,
  PREFERENCE,
  RELATIONSHIP,
  PROCEDURE,
  META
}
