package dev.caliber.models;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** Everything that models refuse or report. */
public enum ModelsErrorCode implements ErrorCode {
  PROVIDER_NOT_CONFIGURED(ErrorKind.INVALID, "Choose one with models.provider."),
  KEY_MISSING(ErrorKind.INVALID, "Set the variable that models.http.key-variable names."),
  MODEL_UNAVAILABLE(ErrorKind.INVALID, "See docs/models.md for the artifacts that are needed."),
  EGRESS_DENIED(ErrorKind.DENIED, "List the host there if it is meant."),
  REQUEST_FAILED(ErrorKind.UNAVAILABLE, "Try again later."),
  REQUEST_REFUSED(ErrorKind.INVALID),
  /** Something about the texts themselves; fewer of them may pass. */
  INPUT_REFUSED(ErrorKind.INVALID),
  RATE_LIMITED(ErrorKind.UNAVAILABLE, "Try again later."),
  INVALID_RESPONSE(ErrorKind.INTERNAL, "Check that the endpoint speaks this provider's protocol."),
  MODEL_MISMATCH(
      ErrorFamily.VECTOR,
      ErrorKind.INVALID,
      "List the name in models.http.answers-as if it is right."),
  EMBEDDING_FAILED(ErrorKind.INTERNAL),
  TEXT_TOO_LONG(ErrorKind.LIMIT, "Embed it in parts."),
  BUDGET_SPENT(ErrorKind.LIMIT, "Raise it, or wait for the next day (UTC)."),
  BUSY(ErrorKind.UNAVAILABLE, "Try again later."),
  CLOSED(ErrorKind.UNAVAILABLE);

  private final ErrorFamily family;
  private final ErrorKind kind;
  private final String advice;

  ModelsErrorCode(ErrorKind kind) {
    this(ErrorFamily.LLM, kind, "");
  }

  ModelsErrorCode(ErrorKind kind, String advice) {
    this(ErrorFamily.LLM, kind, advice);
  }

  ModelsErrorCode(ErrorFamily family, ErrorKind kind, String advice) {
    this.family = family;
    this.kind = kind;
    this.advice = advice;
  }

  /** What to do about it, where that is always the same. */
  String advice() {
    return advice;
  }

  @Override
  public ErrorFamily family() {
    return family;
  }

  @Override
  public ErrorKind kind() {
    return kind;
  }
}
