package dev.caliber.memory.pcp;

import java.util.Locale;

/** What can be wrong. */
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

  /** As traces show it. */
  String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
