package dev.caliber.app.pack;

import java.util.Optional;

/** Answer of an operation that deploys or activates a version. */
record ActivationResponse(
    DeployedVersion version, boolean isNew, Optional<DeployedVersion> replaced, boolean changed) {

  /** A deployed version. */
  record DeployedVersion(String name, int version, String hash, boolean active) {
    String label() {
      return "%s version %d".formatted(name, version);
    }
  }
}
