package dev.caliber.lang.diagnostic;

/** The number of diagnostics that several files may still report. For one thread. */
public final class DiagnosticBudget {
  private int left;

  public DiagnosticBudget(int most) {
    this.left = most;
  }

  boolean isExhausted() {
    return left <= 0;
  }

  void spend() {
    left--;
  }
}
