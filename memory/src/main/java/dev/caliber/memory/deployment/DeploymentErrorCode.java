package dev.caliber.memory.deployment;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Error code of deployments. */
public enum DeploymentErrorCode implements ErrorCode {
  DEPLOYMENT_INVALID(ErrorFamily.VALIDATION, ErrorKind.INVALID),
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

  private final ErrorTraits traits;

  DeploymentErrorCode(ErrorFamily family, ErrorKind kind, String... advice) {
    this.traits = ErrorTraits.of(family, kind, advice);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
