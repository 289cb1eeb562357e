package dev.caliber.app;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** What the command line itself refuses; everything else is an error of the room it called. */
enum AppErrorCode implements ErrorCode {
  USAGE(ErrorFamily.VALIDATION, ErrorKind.INVALID),
  OPTION_DOES_NOT_FIT(ErrorFamily.VALIDATION, ErrorKind.INVALID),
  FILE_NOT_FOUND(ErrorFamily.VALIDATION, ErrorKind.NOT_FOUND),
  FILE_EXISTS(ErrorFamily.VALIDATION, ErrorKind.CONFLICT),
  FILE_UNREADABLE(ErrorFamily.VALIDATION, ErrorKind.INVALID),
  FILE_DENIED(ErrorFamily.VALIDATION, ErrorKind.DENIED),
  OUTPUT_FAILED(ErrorFamily.VALIDATION, ErrorKind.UNAVAILABLE),
  PACK_NOT_LOCKED(ErrorFamily.CONFIG, ErrorKind.CONFLICT),
  NO_ACTIVE_PACK(ErrorFamily.STORAGE, ErrorKind.NOT_FOUND),
  NO_SESSION(ErrorFamily.STORAGE, ErrorKind.NOT_FOUND),
  NO_SERVER(ErrorFamily.STORAGE, ErrorKind.UNAVAILABLE),
  NO_STORE(ErrorFamily.STORAGE, ErrorKind.NOT_FOUND),
  INTERRUPTED(ErrorFamily.VALIDATION, ErrorKind.UNAVAILABLE);

  private final ErrorFamily family;
  private final ErrorKind kind;

  AppErrorCode(ErrorFamily family, ErrorKind kind) {
    this.family = family;
    this.kind = kind;
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
