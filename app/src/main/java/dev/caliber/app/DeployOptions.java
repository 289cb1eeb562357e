package dev.caliber.app;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.deployment.AuditStamp;
import dev.caliber.memory.deployment.DeployConfig;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.Deployments.ActivateConfig;
import dev.caliber.memory.deployment.Deployments.ActivateResult;
import dev.caliber.memory.deployment.Deployments.DeployResult;
import dev.caliber.memory.deployment.StoredConfig;
import dev.caliber.store.Transaction;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** Options and work of every deployment: one commit stores the version and activates it. */
final class DeployOptions {
  @Option(names = "--no-activate", description = "Only store it; activate it later.")
  private boolean store;

  @Mixin private AuditStampOptions actor = new AuditStampOptions();

  private record DeployOutput(
      String name,
      int version,
      String hash,
      boolean isNew,
      boolean active,
      Optional<String> replaced) {
    static DeployOutput of(ActivationCommandSupport.ActivationAnswer activationAnswer) {
      return new DeployOutput(
          activationAnswer.version().name(),
          activationAnswer.version().version(),
          activationAnswer.version().hash(),
          activationAnswer.isNew(),
          activationAnswer.version().active(),
          activationAnswer.replaced().map(ActivationCommandSupport.DeployedVersion::label));
    }

    static DeployOutput of(DeployResult deployResult, boolean active, Optional<String> replaced) {
      StoredConfig config = deployResult.config();
      return new DeployOutput(
          config.name(), config.version(), config.hash(), deployResult.isNew(), active, replaced);
    }
  }

  AuditStamp stamp(CommandContext commandContext) {
    return actor.stamp(commandContext.environment());
  }

  /**
   * Deploys in the space of the call, and prints the result.
   *
   * @param content the source, or the files of a pack, as a server is sent it
   */
  void deploy(CommandContext commandContext, DeployConfig request, ObjectNode content) {
    SpaceId space = commandContext.space();
    content.put("name", request.name()).put("activate", !store);
    content.set("metadata", Json.mapper().valueToTree(request.stamp().metadata()));
    DeployOutput deployOutput =
        commandContext.askServerOrStore(
            serverClient ->
                DeployOutput.of(
                    ActivationCommandSupport.postActivation(serverClient, "/dsl/deploy", content)),
            () -> deployToStore(commandContext, space, request));
    commandContext.output().printResult(deployOutput, summary(deployOutput, space));
  }

  private DeployOutput deployToStore(
      CommandContext commandContext, SpaceId space, DeployConfig request) {
    try (OpenStore opened = commandContext.openOrCreate()) {
      Deployments deployments = Deployments.of(opened.records());
      return opened
          .records()
          .write(
              space,
              transaction ->
                  store
                      ? storeVersion(transaction, deployments, request)
                      : storeAndActivate(transaction, deployments, request));
    }
  }

  private static DeployOutput storeVersion(
      Transaction transaction, Deployments deployments, DeployConfig request) {
    DeployResult deployResult = deployments.deploy(transaction, request);
    Optional<StoredConfig> active = deployments.active(transaction);
    boolean same = active.filter(now -> now.id().equals(deployResult.config().id())).isPresent();
    return DeployOutput.of(deployResult, same, Optional.empty());
  }

  private static DeployOutput storeAndActivate(
      Transaction transaction, Deployments deployments, DeployConfig request) {
    DeployResult deployResult = deployments.deploy(transaction, request);
    int version = deployResult.config().version();
    ActivateResult activateResult =
        deployments.activate(
            transaction, new ActivateConfig(request.name(), version, request.stamp()));
    return DeployOutput.of(deployResult, true, activateResult.replaced().map(StoredConfig::label));
  }

  private static String summary(DeployOutput deployOutput, SpaceId space) {
    String stored =
        deployOutput.isNew() ? "Stored %s version %d" : "%s version %d was already stored";
    String now =
        deployOutput.active()
            ? "; space '%s' now runs on it".formatted(space)
            : "; it is not active";
    String before = deployOutput.replaced().map(label -> ", instead of " + label).orElse("");
    return stored.formatted(deployOutput.name(), deployOutput.version()) + now + before + ".";
  }
}
