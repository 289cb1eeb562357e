package dev.caliber.lang.diagnostic;

/**
 * One thing to tell the writer of a configuration.
 *
 * @param message what is wrong
 * @param suggestion what would be right
 */
public record Diagnostic(
    Severity severity,
    DiagnosticCode code,
    String file,
    Span span,
    String message,
    String suggestion) {
  public Diagnostic {
    if (message.isBlank() || suggestion.isBlank()) {
      throw new IllegalArgumentException("wanted a message and a suggestion for " + code);
    }
  }

  /** Where it is, as editors read it: file:line:column. */
  public String where() {
    return file + ":" + span.line() + ":" + span.column();
  }

  /** One line for people. */
  public String report() {
    return where() + ": " + severity.word() + " " + code + ": " + message + "; " + suggestion;
  }
}
