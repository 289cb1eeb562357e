package dev.caliber.memory.deployment;

import dev.caliber.kernel.CaliberException;

/** Refusal of a deployment, an activation or a rollback. Nothing was written. */
@SuppressWarnings("serial") // never serialised
public final class DeploymentException extends CaliberException {
  private DeploymentException(DeploymentErrorCode code, String message) {
    super(code, message);
  }

  static DeploymentException noActor() {
    return new DeploymentException(
        DeploymentErrorCode.DEPLOYMENT_INVALID, "actor: must not be empty");
  }

  static DeploymentException emptyPack() {
    return new DeploymentException(
        DeploymentErrorCode.DEPLOYMENT_INVALID, "pack: expected at least one file, found none");
  }

  static DeploymentException invalidName(String name) {
    return new DeploymentException(
        DeploymentErrorCode.DEPLOYMENT_INVALID,
        "name of a configuration: expected a letter, then at most 63 of a-z, 0-9, '.', '_' and '-',"
            + " found '%.80s'".formatted(name));
  }

  static DeploymentException unknownVersion(String name, int version, int latest) {
    return new DeploymentException(
        DeploymentErrorCode.VERSION_NOT_FOUND,
        latest == 0
            ? "There is no configuration '%.80s' in this space".formatted(name)
            : "The configuration '%s' has no version %d; its newest version is %d"
                .formatted(name, version, latest));
  }

  static DeploymentException nothingActive() {
    return new DeploymentException(
        DeploymentErrorCode.NO_ACTIVE_VERSION, "No configuration is active in this space");
  }

  static DeploymentException noEarlierVersion(StoredConfig now) {
    return new DeploymentException(
        DeploymentErrorCode.NO_PREVIOUS_VERSION,
        "There is no earlier version to return to: %s is active, and no version was active before it"
            .formatted(now.label()));
  }

  static DeploymentException alreadyActive(StoredConfig now) {
    return new DeploymentException(
        DeploymentErrorCode.ALREADY_ACTIVE,
        "Nothing was activated: %s is already active in this space".formatted(now.label()));
  }
}
