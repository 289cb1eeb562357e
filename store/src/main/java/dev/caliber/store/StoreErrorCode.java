package dev.caliber.store;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Codes of all errors that the store reports. */
public enum StoreErrorCode implements ErrorCode {
  NOT_FOUND(ErrorKind.NOT_FOUND),
  INSERT_FAILED(ErrorKind.CONFLICT),
  UPDATE_FAILED(
      ErrorKind.CONFLICT, "Read the record again, then repeat the change on its present content."),
  TRANSACTION_FAILED(ErrorKind.UNAVAILABLE),
  INDEX_ERROR(ErrorKind.CONFLICT),
  INVALID_RECORD(ErrorKind.INVALID),
  INVALID_CURSOR(ErrorKind.INVALID, "Start the query again without a cursor."),
  SPACE_NOT_FOUND(
      ErrorKind.NOT_FOUND,
      "Create the space first ('caliber spaces create NAME'), or name an existing space."),
  NESTED_WRITE(
      ErrorKind.INTERNAL,
      "Read and write with the snapshot or transaction that the outer call got, not with the store."),
  WRITE_TIMED_OUT(ErrorKind.LIMIT),
  BUSY(ErrorKind.UNAVAILABLE, "Try again later."),
  CLOSED(ErrorKind.UNAVAILABLE),
  FEED_TRUNCATED(ErrorKind.CONFLICT),
  STORE_IN_USE(
      ErrorKind.CONFLICT,
      "Stop the process that uses the store, or connect to that process (a server) instead of opening its store."),
  STORE_TOO_NEW(
      ErrorKind.INVALID, "Use the newer version, or restore a backup that this version made."),
  STORE_UNREADABLE(ErrorKind.INVALID, "Check the path of the store; nothing was changed."),
  STORE_READ_ONLY(
      ErrorKind.DENIED,
      "Give this user the right to write to the store, or choose another directory for it."),
  SCHEMA_MISMATCH(
      ErrorKind.INVALID,
      "In the code that declares the table, raise the schema number and give the changed column a new name."),
  ROW_SECURITY_INSUFFICIENT(
      ErrorKind.DENIED, "See docs/postgresql.md for the roles that are needed."),
  DISK_FULL(ErrorKind.UNAVAILABLE),
  CORRUPT(
      ErrorKind.INTERNAL, "Run 'caliber doctor'; if it reports damage, restore the last backup."),
  STORE_FILE_MISSING(ErrorKind.INVALID),
  UNREACHABLE(ErrorKind.UNAVAILABLE),
  COMMIT_OUTCOME_UNKNOWN(ErrorKind.UNAVAILABLE),
  STORE_NOT_EMPTY(ErrorKind.CONFLICT),
  FILE_EXISTS(
      ErrorKind.CONFLICT,
      "Name a file that does not exist, or delete the existing file if no program is writing it."),
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
