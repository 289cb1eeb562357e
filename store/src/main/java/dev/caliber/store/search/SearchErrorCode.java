package dev.caliber.store.search;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Codes of all errors that search reports. */
public enum SearchErrorCode implements ErrorCode {
  MODEL_MISMATCH(
      ErrorFamily.VECTOR,
      ErrorKind.CONFLICT,
      "Use the model that made the vectors of the index, or run 'caliber index migrate' to build the index with the configured model."),
  INVALID_QUERY(ErrorFamily.VALIDATION, ErrorKind.INVALID),
  UNKNOWN_FIELD(ErrorFamily.VALIDATION, ErrorKind.INVALID),
  INDEX_BEHIND(
      ErrorFamily.STORAGE,
      ErrorKind.UNAVAILABLE,
      "Try again later, or raise search.commit-wait-timeout."),
  INDEX_DAMAGED(
      ErrorFamily.STORAGE,
      ErrorKind.UNAVAILABLE,
      "The index is being rebuilt from the records; try again later."),
  INDEX_IN_USE(
      ErrorFamily.STORAGE,
      ErrorKind.CONFLICT,
      "Give every process a directory of its own (search.directory)."),
  INDEX_UNREADABLE(ErrorFamily.STORAGE, ErrorKind.UNAVAILABLE),
  EMBEDDING_FAILED(
      ErrorFamily.VECTOR,
      ErrorKind.UNAVAILABLE,
      "Nothing is lost: texts are found by their words until the model has embedded them."),
  CLOSED(ErrorFamily.STORAGE, ErrorKind.UNAVAILABLE);

  private final ErrorTraits traits;

  SearchErrorCode(ErrorFamily family, ErrorKind kind, String... advice) {
    this.traits = ErrorTraits.of(family, kind, advice);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
