package dev.caliber.kernel;

/**
 * Stable name of one kind of error. Each module has one enum of them; callers may store and compare
 * the text.
 */
public interface ErrorCode {
  /** Returns the constant's name, as an enum does. */
  String name();

  ErrorTraits traits();

  default ErrorFamily family() {
    return traits().family();
  }

  default ErrorKind kind() {
    return traits().kind();
  }

  /** Returns what to do about every error of this code; empty if that depends on the case. */
  default String advice() {
    return traits().advice();
  }

  /** Returns the family's code and the name: {@code CALIBER_STORAGE_NOT_FOUND}. */
  default String text() {
    return family().code() + "_" + name();
  }
}
