package dev.caliber.store;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Codes of all errors that the store reports. */
public enum StoreErrorCode implements ErrorCode {
  NOT_FOUND(ErrorKind.NOT_FOUND),
  INSERT_FAILED(ErrorKind.CONFLICT),
  UPDATE_FAILED(ErrorKind.CONFLICT, "Read it again and decide anew."),
  TRANSACTION_FAILED(ErrorKind.UNAVAILABLE),
  INDEX_ERROR(ErrorKind.CONFLICT),
  INVALID_RECORD(ErrorKind.INVALID),
  INVALID_CURSOR(ErrorKind.INVALID, "Start the scan again without a cursor."),
  SPACE_NOT_FOUND(ErrorKind.NOT_FOUND, "Create it first, or name an existing one."),
  NESTED_WRITE(ErrorKind.INTERNAL, "Use the snapshot or transaction that was given."),
  WRITE_TIMED_OUT(ErrorKind.LIMIT),
  BUSY(ErrorKind.UNAVAILABLE, "Try again later."),
  CLOSED(ErrorKind.UNAVAILABLE),
  FEED_TRUNCATED(ErrorKind.CONFLICT),
  STORE_IN_USE(
      ErrorKind.CONFLICT, "Stop that process, or connect to it instead of opening its store."),
  STORE_TOO_NEW(ErrorKind.INVALID, "Use that version, or restore a backup made with this one."),
  STORE_UNREADABLE(ErrorKind.INVALID, "Check the path; nothing was changed."),
  STORE_READ_ONLY(
      ErrorKind.DENIED, "Give this user the right to write there, or choose another directory."),
  SCHEMA_MISMATCH(ErrorKind.INVALID, "Raise the schema number and give the column a new name."),
  ROW_SECURITY_INSUFFICIENT(
      ErrorKind.DENIED, "See docs/postgresql.md for the roles that are needed."),
  DISK_FULL(ErrorKind.UNAVAILABLE),
  CORRUPT(
      ErrorKind.INTERNAL, "Run 'caliber doctor', and restore the last backup if it finds more."),
  STORE_FILE_MISSING(ErrorKind.INVALID),
  UNREACHABLE(ErrorKind.UNAVAILABLE),
  COMMIT_OUTCOME_UNKNOWN(ErrorKind.UNAVAILABLE),
  STORE_NOT_EMPTY(ErrorKind.CONFLICT),
  FILE_EXISTS(
      ErrorKind.CONFLICT,
      "Name a file that does not exist, or remove this one if nothing is writing it."),
  FILE_IO_FAILED(ErrorKind.UNAVAILABLE),
  IMPORT_INVALID(ErrorKind.INVALID),
  ENGINE_FAILED(ErrorKind.INTERNAL);

  private final ErrorTraits traits;

  StoreErrorCode(ErrorKind kind, String... advice) {
    this.traits = ErrorTraits.of(ErrorFamily.STORAGE, kind, advice);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
