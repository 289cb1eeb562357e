package dev.caliber.app;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.deployment.DeployConfig;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.Deployments.Activate;
import dev.caliber.memory.deployment.Deployments.Activated;
import dev.caliber.memory.deployment.Deployments.Deployed;
import dev.caliber.memory.deployment.Stamp;
import dev.caliber.memory.deployment.StoredConfig;
import dev.caliber.store.Transaction;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** What every deployment is told, and how it is done: version and activation in one commit. */
final class DeployOptions {
  @Option(names = "--no-activate", description = "Only store it; activate it later.")
  private boolean store;

  @Mixin private ActorOption actor = new ActorOption();

  private record Done(
      String name,
      int version,
      String hash,
      boolean isNew,
      boolean active,
      Optional<String> replaced) {
    static Done of(Activations.Answer answer) {
      return new Done(
          answer.version().name(),
          answer.version().version(),
          answer.version().hash(),
          answer.isNew(),
          answer.version().active(),
          answer.replaced().map(Activations.Version::label));
    }

    static Done of(Deployed deployed, boolean active, Optional<String> replaced) {
      StoredConfig config = deployed.config();
      return new Done(
          config.name(), config.version(), config.hash(), deployed.isNew(), active, replaced);
    }
  }

  Stamp stamp(Workbench workbench) {
    return actor.stamp(workbench.surroundings());
  }

  /**
   * Deploys in the space of the call, and says what came of it.
   *
   * @param content the same as a server is sent it: a source, or the files of a pack
   */
  void deploy(Workbench workbench, DeployConfig wish, ObjectNode content) {
    SpaceId space = workbench.space();
    content.put("name", wish.name()).put("activate", !store);
    content.set("metadata", Json.mapper().valueToTree(wish.stamp().metadata()));
    Done done =
        workbench.ask(
            remote -> Done.of(Activations.ask(remote, "/dsl/deploy", content)),
            () -> deployed(workbench, space, wish));
    workbench.output().result(done, text(done, space));
  }

  private Done deployed(Workbench workbench, SpaceId space, DeployConfig wish) {
    try (OpenStore opened = workbench.openOrCreate()) {
      Deployments deployments = Deployments.of(opened.records());
      return opened
          .records()
          .write(
              space,
              transaction ->
                  store
                      ? stored(transaction, deployments, wish)
                      : activated(transaction, deployments, wish));
    }
  }

  private static Done stored(Transaction transaction, Deployments deployments, DeployConfig wish) {
    Deployed deployed = deployments.deploy(transaction, wish);
    Optional<StoredConfig> active = deployments.active(transaction);
    boolean same = active.filter(now -> now.id().equals(deployed.config().id())).isPresent();
    return Done.of(deployed, same, Optional.empty());
  }

  private static Done activated(
      Transaction transaction, Deployments deployments, DeployConfig wish) {
    Deployed deployed = deployments.deploy(transaction, wish);
    int version = deployed.config().version();
    Activated activated =
        deployments.activate(transaction, new Activate(wish.name(), version, wish.stamp()));
    return Done.of(deployed, true, activated.replaced().map(StoredConfig::label));
  }

  private static String text(Done done, SpaceId space) {
    String stored = done.isNew() ? "Stored %s version %d" : "%s version %d was stored before";
    String now =
        done.active() ? "; the space '%s' runs on it".formatted(space) : "; it is not active";
    String before = done.replaced().map(label -> ", instead of " + label).orElse("");
    return stored.formatted(done.name(), done.version()) + now + before + ".";
  }
}
