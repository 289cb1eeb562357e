package dev.caliber.lang.pack;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** Why the files of something are not those of a pack. */
public enum PackErrorCode implements ErrorCode {
  PACK_TOO_LARGE(ErrorKind.LIMIT, "Leave out what the pack does not need."),
  PACK_PATH_REFUSED(
      ErrorKind.INVALID, "Name files by relative paths with '/', inside the pack's directory."),
  PACK_FILE_REFUSED(
      ErrorKind.INVALID, "A pack holds plain files and directories; put a copy of the file there."),
  PACK_NOT_FOUND(ErrorKind.NOT_FOUND, "Name the directory that holds cal.toml."),
  PACK_UNREADABLE(ErrorKind.UNAVAILABLE, "Check who may read it, and that nobody is changing it.");

  private final ErrorKind kind;
  private final String advice;

  PackErrorCode(ErrorKind kind, String advice) {
    this.kind = kind;
    this.advice = advice;
  }

  String advice() {
    return advice;
  }

  @Override
  public ErrorFamily family() {
    return ErrorFamily.CONFIG;
  }

  @Override
  public ErrorKind kind() {
    return kind;
  }
}
