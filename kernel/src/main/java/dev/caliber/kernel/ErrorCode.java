package dev.caliber.kernel;

/**
 * Stable name of one kind of error. Each module has one enum of them; callers may store and compare
 * the text.
 */
public interface ErrorCode {
  /** Returns the constant's name, as an enum does. */
  String name();

  ErrorFamily family();

  ErrorKind kind();

  /** Returns the family's code and the name: {@code CALIBER_STORAGE_NOT_FOUND}. */
  default String text() {
    return family().code() + "_" + name();
  }
}
