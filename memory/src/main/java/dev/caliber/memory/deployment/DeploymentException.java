package dev.caliber.memory.deployment;

import dev.caliber.kernel.CaliberException;

/** A deployment, an activation or a rollback that cannot be. Nothing was written. */
@SuppressWarnings("serial") // never serialised
public final class DeploymentException extends CaliberException {
  private DeploymentException(DeploymentErrorCode code, String message) {
    super(code, message, code.advice());
  }

  static DeploymentException noActor() {
    return new DeploymentException(
        DeploymentErrorCode.DEPLOYMENT_INVALID, "wanted the name of an actor, found none");
  }

  static DeploymentException emptyPack() {
    return new DeploymentException(
        DeploymentErrorCode.DEPLOYMENT_INVALID, "wanted a pack with files, found one without");
  }

  static DeploymentException invalidName(String name) {
    return new DeploymentException(
        DeploymentErrorCode.DEPLOYMENT_INVALID,
        "name of a configuration: wanted a letter, then at most 63 of a-z, 0-9, '.', '_' and '-',"
            + " found '%.80s'".formatted(name));
  }

  static DeploymentException unknownVersion(String name, int version, int latest) {
    return new DeploymentException(
        DeploymentErrorCode.UNKNOWN_CONFIG,
        latest == 0
            ? "There is no configuration '%.80s' in this space".formatted(name)
            : "The configuration '%s' has no version %d; the newest is %d"
                .formatted(name, version, latest));
  }

  static DeploymentException nothingActive() {
    return new DeploymentException(
        DeploymentErrorCode.NOTHING_ACTIVE, "This space runs on no configuration yet");
  }

  static DeploymentException nothingBefore(StoredConfig now) {
    return new DeploymentException(
        DeploymentErrorCode.NOTHING_BEFORE,
        "This space runs on %s, and has run on no earlier version of it".formatted(now.label()));
  }

  static DeploymentException alreadyActive(StoredConfig now) {
    return new DeploymentException(
        DeploymentErrorCode.ALREADY_ACTIVE, "This space runs on %s already".formatted(now.label()));
  }
}
