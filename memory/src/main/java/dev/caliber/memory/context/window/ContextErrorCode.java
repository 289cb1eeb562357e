package dev.caliber.memory.context.window;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Error codes of context composition. */
public enum ContextErrorCode implements ErrorCode {
  BUDGET_OUT_OF_RANGE(
      ErrorKind.INVALID, "Request at least 1 token and at most context.token-budget."),
  BUDGET_TOO_SMALL(
      ErrorKind.INVALID,
      "Raise max_tokens, or shorten the query, context.system-instructions or"
          + " context.trust.rules."),
  UNKNOWN_TOKENIZER(
      ErrorKind.INVALID,
      "Name a known tokenizer, or name a model instead, or name neither: then tokens are estimated."),
  UNKNOWN_WINDOW(
      ErrorKind.NOT_FOUND,
      "Check the id and the space. A window that was not saved, or that has expired, cannot be read: assemble a new window."),
  WINDOW_OF_OTHER_TRAJECTORY(
      ErrorKind.INVALID, "Send the trajectory to which the window belongs, or send no window."),
  CONTENT_UNAVAILABLE(
      ErrorKind.CONFLICT,
      "Content that was forgotten or replaced cannot be shown again. Assemble a new window."),
  COMPOSITION_MISMATCH(
      ErrorKind.CONFLICT,
      "Replay the window with the version of Caliber that composed it, or assemble a new window.");

  private final ErrorTraits traits;

  ContextErrorCode(ErrorKind kind, String... advice) {
    this.traits = ErrorTraits.of(ErrorFamily.VALIDATION, kind, advice);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
