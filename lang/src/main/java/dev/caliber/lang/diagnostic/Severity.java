package dev.caliber.lang.diagnostic;

import java.util.Locale;

/** Whether a configuration can be used in spite of a diagnostic. */
public enum Severity {
  ERROR,
  WARNING;

  /** As people read it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
