package dev.caliber.models;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Codes of all errors that models report. */
public enum ModelsErrorCode implements ErrorCode {
  PROVIDER_NOT_CONFIGURED(
      ErrorKind.INVALID, "Set models.provider to a provider of embedding models."),
  API_KEY_MISSING(
      ErrorKind.INVALID,
      "Set the environment variable to the API key, or name another variable in"
          + " models.http.key-variable (embeddings) or models.chat.key-variable."),
  MODEL_UNAVAILABLE(ErrorKind.INVALID, "See docs/models.md for the artifacts that are needed."),
  EGRESS_DENIED(ErrorKind.DENIED, "If the host is the right one, add it to the named setting."),
  REQUEST_FAILED(ErrorKind.UNAVAILABLE, "Try again later."),
  REQUEST_REJECTED(ErrorKind.INVALID),
  /** The texts themselves were refused; fewer of them may pass. */
  INPUT_REJECTED(ErrorKind.INVALID),
  RATE_LIMITED(ErrorKind.UNAVAILABLE, "Try again later."),
  INVALID_RESPONSE(
      ErrorKind.INTERNAL,
      "Check that the server of the setting 'endpoint' speaks the protocol of this provider."),
  MODEL_MISMATCH(
      ErrorFamily.VECTOR,
      ErrorKind.INVALID,
      "If the server's name of the model is right, add it to models.http.model-aliases."),
  EMBEDDING_FAILED(ErrorKind.INTERNAL),
  TEXT_TOO_LONG(ErrorKind.LIMIT, "Embed the text in parts, or raise the named limit."),
  BUDGET_EXHAUSTED(
      ErrorKind.LIMIT,
      "Raise the budget, or wait for the next day (UTC). Until then rules are used instead of the model."),
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
