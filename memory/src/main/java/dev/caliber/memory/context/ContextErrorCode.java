package dev.caliber.memory.context;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** Everything that composing a context refuses. */
public enum ContextErrorCode implements ErrorCode {
  BUDGET_OUT_OF_RANGE(ErrorKind.INVALID, "Ask for 1 token up to context.token-budget."),
  BUDGET_TOO_SMALL(
      ErrorKind.INVALID,
      "Raise the budget, or shorten the query, context.system-instructions or"
          + " context.trust.rules."),
  UNKNOWN_TOKENIZER(ErrorKind.INVALID, "Name a model instead, or leave it out for the estimate."),
  UNKNOWN_WINDOW(ErrorKind.NOT_FOUND, "It was never kept, or its time is over."),
  OTHER_TRAJECTORY(
      ErrorKind.INVALID, "Name the trajectory that the window is of, or leave out the window."),
  CONTENT_GONE(ErrorKind.CONFLICT, "What was forgotten or made anew cannot be shown again."),
  OTHER_COMPOSITION(ErrorKind.CONFLICT, "Replay it with the version that made it.");

  private final ErrorKind kind;
  private final String advice;

  ContextErrorCode(ErrorKind kind, String advice) {
    this.kind = kind;
    this.advice = advice;
  }

  /** What to do about it. */
  String advice() {
    return advice;
  }

  @Override
  public ErrorFamily family() {
    return ErrorFamily.VALIDATION;
  }

  @Override
  public ErrorKind kind() {
    return kind;
  }
}
