package dev.caliber.memory.pcp;

/** Severity of an issue. */
public enum IssueSeverity {
  INFO,
  WARNING,
  /** Makes the report invalid. */
  ERROR
}
