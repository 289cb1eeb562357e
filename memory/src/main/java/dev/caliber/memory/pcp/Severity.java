package dev.caliber.memory.pcp;

/** How bad an issue is. */
public enum Severity {
  INFO,
  WARNING,
  /** What has one is not valid. */
  ERROR
}
