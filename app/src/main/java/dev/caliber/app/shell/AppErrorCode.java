package dev.caliber.app.shell;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Error codes of the command line itself; all others come from the module that was called. */
public enum AppErrorCode implements ErrorCode {
  USAGE(ErrorFamily.VALIDATION, ErrorKind.INVALID),
  OPTION_NOT_APPLICABLE(ErrorFamily.VALIDATION, ErrorKind.INVALID),
  FILE_NOT_FOUND(ErrorFamily.VALIDATION, ErrorKind.NOT_FOUND),
  FILE_EXISTS(ErrorFamily.VALIDATION, ErrorKind.CONFLICT),
  FILE_UNREADABLE(ErrorFamily.VALIDATION, ErrorKind.INVALID),
  FILE_DENIED(ErrorFamily.VALIDATION, ErrorKind.DENIED),
  OUTPUT_FAILED(ErrorFamily.VALIDATION, ErrorKind.UNAVAILABLE),
  PACK_NOT_LOCKED(ErrorFamily.CONFIG, ErrorKind.CONFLICT),
  NO_ACTIVE_PACK(ErrorFamily.STORAGE, ErrorKind.NOT_FOUND),
  SERVER_UNAVAILABLE(ErrorFamily.STORAGE, ErrorKind.UNAVAILABLE),
  STORE_NOT_FOUND(ErrorFamily.STORAGE, ErrorKind.NOT_FOUND),
  INTERRUPTED(ErrorFamily.VALIDATION, ErrorKind.UNAVAILABLE);

  private final ErrorTraits traits;

  AppErrorCode(ErrorFamily family, ErrorKind kind) {
    this.traits = ErrorTraits.of(family, kind);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
