package dev.caliber.memory.context;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Error codes of context composition. */
public enum ContextErrorCode implements ErrorCode {
  BUDGET_OUT_OF_RANGE(ErrorKind.INVALID, "Ask for 1 token up to context.token-budget."),
  BUDGET_TOO_SMALL(
      ErrorKind.INVALID,
      "Raise the budget, or shorten the query, context.system-instructions or"
          + " context.trust.rules."),
  UNKNOWN_TOKENIZER(ErrorKind.INVALID, "Name a model instead, or leave it out for the estimate."),
  UNKNOWN_WINDOW(ErrorKind.NOT_FOUND, "It was never saved, or it has expired."),
  WINDOW_OF_OTHER_TRAJECTORY(
      ErrorKind.INVALID, "Name the trajectory of the window, or leave out the window."),
  CONTENT_UNAVAILABLE(
      ErrorKind.CONFLICT,
      "Content that was forgotten or replaced cannot be shown again. Assemble a new window."),
  COMPOSITION_MISMATCH(
      ErrorKind.CONFLICT, "Replay it with the version of the program that composed it.");

  private final ErrorTraits traits;

  ContextErrorCode(ErrorKind kind, String... advice) {
    this.traits = ErrorTraits.of(ErrorFamily.VALIDATION, kind, advice);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
