package dev.caliber.store;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** Everything that the store refuses or reports. */
public enum StoreErrorCode implements ErrorCode {
  NOT_FOUND(ErrorKind.NOT_FOUND),
  INSERT_FAILED(ErrorKind.CONFLICT),
  UPDATE_FAILED(ErrorKind.CONFLICT),
  TRANSACTION_FAILED(ErrorKind.UNAVAILABLE),
  INDEX_ERROR(ErrorKind.CONFLICT),
  INVALID_RECORD(ErrorKind.INVALID),
  INVALID_CURSOR(ErrorKind.INVALID),
  SPACE_NOT_FOUND(ErrorKind.NOT_FOUND),
  NESTED_WRITE(ErrorKind.INTERNAL),
  WRITE_TOO_LONG(ErrorKind.LIMIT),
  BUSY(ErrorKind.UNAVAILABLE),
  CLOSED(ErrorKind.UNAVAILABLE),
  FEED_TRUNCATED(ErrorKind.CONFLICT),
  STORE_IN_USE(ErrorKind.CONFLICT),
  STORE_TOO_NEW(ErrorKind.INVALID),
  STORE_UNREADABLE(ErrorKind.INVALID),
  STORE_READ_ONLY(ErrorKind.DENIED),
  SCHEMA_MISMATCH(ErrorKind.INVALID),
  ISOLATION_BROKEN(ErrorKind.DENIED),
  DISK_FULL(ErrorKind.UNAVAILABLE),
  CORRUPT(ErrorKind.INTERNAL),
  UNREACHABLE(ErrorKind.UNAVAILABLE),
  COMMIT_UNKNOWN(ErrorKind.UNAVAILABLE),
  STORE_NOT_EMPTY(ErrorKind.CONFLICT),
  FILE_EXISTS(ErrorKind.CONFLICT),
  FILE_FAILED(ErrorKind.UNAVAILABLE),
  IMPORT_REFUSED(ErrorKind.INVALID),
  ENGINE_FAILED(ErrorKind.INTERNAL);

  private final ErrorKind kind;

  StoreErrorCode(ErrorKind kind) {
    this.kind = kind;
  }

  @Override
  public ErrorFamily family() {
    return ErrorFamily.STORAGE;
  }

  @Override
  public ErrorKind kind() {
    return kind;
  }
}
