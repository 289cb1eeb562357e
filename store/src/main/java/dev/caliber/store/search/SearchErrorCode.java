package dev.caliber.store.search;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** Everything that search refuses or reports. */
public enum SearchErrorCode implements ErrorCode {
  MODEL_MISMATCH(
      ErrorFamily.VECTOR,
      ErrorKind.CONFLICT,
      "Use the index's model, or run 'caliber index migrate'."),
  INVALID_QUERY(ErrorFamily.VALIDATION, ErrorKind.INVALID, ""),
  UNKNOWN_FIELD(ErrorFamily.VALIDATION, ErrorKind.INVALID, ""),
  INDEX_BEHIND(ErrorFamily.STORAGE, ErrorKind.UNAVAILABLE, "Try again, or raise search.wait."),
  INDEX_DAMAGED(
      ErrorFamily.STORAGE, ErrorKind.UNAVAILABLE, "It is being rebuilt; try again in a while."),
  INDEX_IN_USE(
      ErrorFamily.STORAGE,
      ErrorKind.CONFLICT,
      "Give every process a directory of its own (search.directory)."),
  INDEX_UNREADABLE(ErrorFamily.STORAGE, ErrorKind.UNAVAILABLE, ""),
  EMBEDDING_FAILED(
      ErrorFamily.VECTOR,
      ErrorKind.UNAVAILABLE,
      "Nothing is lost: texts are found by their words until the model gives them vectors."),
  CLOSED(ErrorFamily.STORAGE, ErrorKind.UNAVAILABLE, "");

  private final ErrorFamily family;
  private final ErrorKind kind;
  private final String advice;

  SearchErrorCode(ErrorFamily family, ErrorKind kind, String advice) {
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
