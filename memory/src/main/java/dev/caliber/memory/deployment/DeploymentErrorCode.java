package dev.caliber.memory.deployment;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** Everything that deployments refuse. */
public enum DeploymentErrorCode implements ErrorCode {
  DEPLOYMENT_INVALID(ErrorFamily.VALIDATION, ErrorKind.INVALID, ""),
  UNKNOWN_CONFIG(
      ErrorFamily.STORAGE, ErrorKind.NOT_FOUND, "List what there is, or deploy it first."),
  NOTHING_ACTIVE(
      ErrorFamily.STORAGE, ErrorKind.CONFLICT, "Activate a version of a configuration first."),
  NOTHING_BEFORE(ErrorFamily.STORAGE, ErrorKind.CONFLICT, "Name the version to go back to."),
  ALREADY_ACTIVE(ErrorFamily.STORAGE, ErrorKind.CONFLICT, "Name another version.");

  private final ErrorFamily family;
  private final ErrorKind kind;
  private final String advice;

  DeploymentErrorCode(ErrorFamily family, ErrorKind kind, String advice) {
    this.family = family;
    this.kind = kind;
    this.advice = advice;
  }

  /** What to do about it. */
  String advice() {
    return advice;
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
