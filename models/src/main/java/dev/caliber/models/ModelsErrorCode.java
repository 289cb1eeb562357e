package dev.caliber.models;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Codes of all errors that models report. */
public enum ModelsErrorCode implements ErrorCode {
  PROVIDER_NOT_CONFIGURED(ErrorKind.INVALID, "Choose one with models.provider."),
  API_KEY_MISSING(ErrorKind.INVALID, "Set the variable that models.http.key-variable names."),
  MODEL_UNAVAILABLE(ErrorKind.INVALID, "See docs/models.md for the artifacts that are needed."),
  EGRESS_DENIED(ErrorKind.DENIED, "List the host there if it is meant."),
  REQUEST_FAILED(ErrorKind.UNAVAILABLE, "Try again later."),
  REQUEST_REJECTED(ErrorKind.INVALID),
  /** The texts themselves were refused; fewer of them may pass. */
  INPUT_REJECTED(ErrorKind.INVALID),
  RATE_LIMITED(ErrorKind.UNAVAILABLE, "Try again later."),
  INVALID_RESPONSE(ErrorKind.INTERNAL, "Check that the endpoint speaks this provider's protocol."),
  MODEL_MISMATCH(
      ErrorFamily.VECTOR,
      ErrorKind.INVALID,
      "List the name in models.http.model-aliases if it is right."),
  EMBEDDING_FAILED(ErrorKind.INTERNAL),
  TEXT_TOO_LONG(ErrorKind.LIMIT, "Embed it in parts."),
  BUDGET_EXHAUSTED(ErrorKind.LIMIT, "Raise it, or wait for the next day (UTC)."),
  BUSY(ErrorKind.UNAVAILABLE, "Try again later."),
  CLOSED(ErrorKind.UNAVAILABLE);

  private final ErrorTraits traits;

  ModelsErrorCode(ErrorKind kind, String... advice) {
    this(ErrorFamily.LLM, kind, advice);
  }

  ModelsErrorCode(ErrorFamily family, ErrorKind kind, String... advice) {
    this.traits = ErrorTraits.of(family, kind, advice);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
