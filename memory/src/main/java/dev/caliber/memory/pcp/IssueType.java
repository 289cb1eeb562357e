package dev.caliber.memory.pcp;

import java.util.Locale;

/** Kind of an issue. */
public enum IssueType {
  CONTRADICTION,
  STALE_DATA,
  LOW_CONFIDENCE,
  MISSING_SOURCE,
  /** More facts than one validation compares, or no search by meaning. */
  NOT_COMPARED,
  OVERSIZED,
  DUPLICATE,
  MALFORMED_CONTENT,
  VOCABULARY_VIOLATION,
  /** More issues than a report names. */
  NOT_NAMED;

  /** Returns the name used in traces. */
  String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
