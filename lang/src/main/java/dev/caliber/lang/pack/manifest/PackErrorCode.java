package dev.caliber.lang.pack.manifest;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Error codes for files that cannot be a pack. */
public enum PackErrorCode implements ErrorCode {
  PACK_TOO_LARGE(ErrorKind.LIMIT, "Remove files that the pack does not need."),
  PACK_PATH_REFUSED(
      ErrorKind.INVALID, "Name files by relative paths with '/', inside the pack's directory."),
  PACK_FILE_REFUSED(
      ErrorKind.INVALID,
      "Replace the named file by a plain file: a pack contains only plain files and directories."),
  PACK_NOT_FOUND(ErrorKind.NOT_FOUND, "Name the directory that holds cal.toml."),
  PACK_UNREADABLE(
      ErrorKind.UNAVAILABLE,
      "Check the permissions of the pack, and that no other program is changing its files.");

  private final ErrorTraits traits;

  PackErrorCode(ErrorKind kind, String... advice) {
    this.traits = ErrorTraits.of(ErrorFamily.CONFIG, kind, advice);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
