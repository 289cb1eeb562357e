package dev.caliber.app;

import dev.caliber.memory.deployment.Deployments.ActivateResult;
import dev.caliber.memory.deployment.StoredConfig;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Shared code of the commands that activate a version: the request and the printed answer. */
final class ActivationCommandSupport {
  private ActivationCommandSupport() {}

  private record ActivationOutput(
      String name, int version, String hash, boolean changed, Optional<Integer> replacedVersion) {}

  /** A deployed version as the server reports it. */
  record DeployedVersion(String name, int version, String hash, boolean active) {
    static DeployedVersion of(StoredConfig config, boolean active) {
      return new DeployedVersion(config.name(), config.version(), config.hash(), active);
    }

    String label() {
      return "%s version %d".formatted(name, version);
    }
  }

  /** The server's answer to an activation. */
  record ActivationAnswer(
      DeployedVersion version, boolean isNew, Optional<DeployedVersion> replaced, boolean changed) {
    static ActivationAnswer of(ActivateResult activateResult) {
      return new ActivationAnswer(
          DeployedVersion.of(activateResult.config(), true),
          false,
          activateResult.replaced().map(old -> DeployedVersion.of(old, false)),
          activateResult.changed());
    }
  }

  static ActivationAnswer postActivation(ServerClient serverClient, String path, ObjectNode input) {
    return serverClient.post(path, input, ActivationAnswer.class);
  }

  static void print(CommandContext commandContext, ActivationAnswer done) {
    DeployedVersion deployedVersion = done.version();
    String before = done.replaced().map(old -> ", instead of " + old.label()).orElse("");
    commandContext
        .output()
        .printResult(
            new ActivationOutput(
                deployedVersion.name(),
                deployedVersion.version(),
                deployedVersion.hash(),
                done.changed(),
                done.replaced().map(DeployedVersion::version)),
            "The space '%s' %s %s%s."
                .formatted(
                    commandContext.space(),
                    done.changed() ? "now runs on" : "already runs on",
                    deployedVersion.label(),
                    before));
  }
}
