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
      "List the deployed configurations to see their names and versions, or deploy this configuration first."),
  NO_ACTIVE_VERSION(
      ErrorFamily.STORAGE,
      ErrorKind.CONFLICT,
      "Deploy a configuration first, or activate a deployed version."),
  NO_PREVIOUS_VERSION(
      ErrorFamily.STORAGE, ErrorKind.CONFLICT, "Name the version to which the space is to return."),
  ALREADY_ACTIVE(ErrorFamily.STORAGE, ErrorKind.CONFLICT, "Do nothing, or name another version.");

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
