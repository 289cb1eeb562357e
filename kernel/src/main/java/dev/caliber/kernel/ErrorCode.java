package dev.caliber.kernel;

/**
 * A stable name for one way of failing. Each room has one enum of them; callers may store and
 * compare the text.
 */
public interface ErrorCode {
  /** The constant's name, as an enum gives it. */
  String name();

  ErrorFamily family();

  ErrorKind kind();

  /** The family's code and the name: {@code CALIBER_STORAGE_NOT_FOUND}. */
  default String text() {
    return family().code() + "_" + name();
  }
}
