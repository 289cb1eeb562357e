package dev.caliber.memory.deployment;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** Error code of deployments. */
public enum DeploymentErrorCode implements ErrorCode {
  DEPLOYMENT_INVALID(ErrorFamily.VALIDATION, ErrorKind.INVALID, ""),
  VERSION_NOT_FOUND(
      ErrorFamily.STORAGE,
      ErrorKind.NOT_FOUND,
      "List the deployed configurations, or deploy this one first."),
  NO_ACTIVE_VERSION(
      ErrorFamily.STORAGE, ErrorKind.CONFLICT, "Activate a version of a configuration first."),
  NO_PREVIOUS_VERSION(ErrorFamily.STORAGE, ErrorKind.CONFLICT, "Name the version to go back to."),
  ALREADY_ACTIVE(ErrorFamily.STORAGE, ErrorKind.CONFLICT, "Name another version.");

  private final ErrorFamily family;
  private final ErrorKind kind;
  private final String advice;

  DeploymentErrorCode(ErrorFamily family, ErrorKind kind, String advice) {
    this.family = family;
    this.kind = kind;
    this.advice = advice;
  }

  /** Returns the advice. */
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
