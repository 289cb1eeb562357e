package dev.caliber.memory.record;

/** Type of a note. */
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
