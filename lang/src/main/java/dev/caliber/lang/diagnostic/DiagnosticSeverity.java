package dev.caliber.lang.diagnostic;

import java.util.Locale;

/** Severity of a diagnostic: an error prevents the use of a configuration, a warning does not. */
public enum DiagnosticSeverity {
  ERROR,
  WARNING;

  /** Returns the word that people read. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
