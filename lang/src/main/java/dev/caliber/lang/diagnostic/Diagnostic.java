package dev.caliber.lang.diagnostic;

/**
 * A message for the author of a configuration.
 *
 * @param message the problem
 * @param suggestion the correction
 */
public record Diagnostic(
    DiagnosticSeverity severity,
    DiagnosticCode code,
    String file,
    Span span,
    String message,
    String suggestion) {
  public Diagnostic {
    if (message.isBlank() || suggestion.isBlank()) {
      throw new IllegalArgumentException("expected a message and a suggestion for " + code);
    }
  }

  /** Returns the position as editors read it: file:line:column. */
  public String location() {
    return file + ":" + span.line() + ":" + span.column();
  }

  /** Returns the diagnostic as one line for people. */
  public String toLine() {
    return location() + ": " + severity.word() + " " + code + ": " + message + "; " + suggestion;
  }
}
