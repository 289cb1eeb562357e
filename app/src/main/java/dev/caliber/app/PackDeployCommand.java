package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.lang.pack.ComposeResult.Composed;
import dev.caliber.lang.pack.PackSource;
import dev.caliber.memory.deployment.DeployConfig;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.Deployments.Activate;
import dev.caliber.memory.deployment.Deployments.Activated;
import dev.caliber.memory.deployment.Deployments.Deployed;
import dev.caliber.memory.deployment.StoredConfig;
import dev.caliber.store.Transaction;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber pack deploy}. */
@Command(
    name = "deploy",
    header = "Store a pack as a new version in a space, and let the space run on it.",
    description =
        "The pack has to be what cal.lock says. Files, tree, text and compiled configuration are one"
            + " commit with the activation. A pack that is there already makes no new version.")
final class PackDeployCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "DIR", description = "Where cal.toml is.")
  private Path directory = Path.of("");

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "What its versions are counted under. Without it: meta.project.")
  private Optional<String> name = Optional.empty();

  @Option(names = "--no-activate", description = "Only store it; activate it later.")
  private boolean store;

  @Option(names = "--unlocked", description = "Also without a cal.lock. A wrong one is refused.")
  private boolean unlocked;

  @Mixin private ActorOption actor = new ActorOption();

  PackDeployCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Done(
      String name,
      int version,
      String hash,
      boolean isNew,
      boolean active,
      Optional<String> replaced) {}

  @Override
  public Integer call() {
    PackBench bench = new PackBench(workbench);
    Findings findings = new Findings(new Output(workbench.terminal().diverted(), false));
    PackSource source = bench.read(directory);
    Optional<Composed> pack = bench.composed(directory, source, findings);
    if (pack.isPresent()) {
      requireLock(source);
      print(deploy(wish(pack.get(), source)));
    }
    return findings.conclude("").number();
  }

  private void requireLock(PackSource source) {
    if (!unlocked && !source.has(PackSource.LOCK)) {
      throw AppException.notLocked(directory);
    }
  }

  private DeployConfig wish(Composed pack, PackSource source) {
    return PackBench.wish(
        name.orElse(pack.ir().meta().project()),
        pack,
        source,
        actor.stamp(workbench.surroundings()));
  }

  private Done deploy(DeployConfig wish) {
    SpaceId space = workbench.space();
    try (OpenStore opened = workbench.openOrCreate()) {
      Deployments deployments = Deployments.of(opened.records());
      return opened.records().write(space, transaction -> deploy(transaction, deployments, wish));
    }
  }

  private Done deploy(Transaction transaction, Deployments deployments, DeployConfig wish) {
    Deployed deployed = deployments.deploy(transaction, wish);
    StoredConfig config = deployed.config();
    if (store) {
      boolean active =
          deployments.active(transaction).map(StoredConfig::id).equals(Optional.of(config.id()));
      return done(deployed, active, Optional.empty());
    }
    Activated activated =
        deployments.activate(
            transaction, new Activate(config.name(), config.version(), wish.stamp()));
    return done(deployed, true, activated.replaced().map(StoredConfig::label));
  }

  private static Done done(Deployed deployed, boolean active, Optional<String> replaced) {
    StoredConfig config = deployed.config();
    return new Done(
        config.name(), config.version(), config.hash(), deployed.isNew(), active, replaced);
  }

  private void print(Done done) {
    String stored = done.isNew() ? "Stored %s version %d" : "%s version %d was stored before";
    String now =
        done.active()
            ? "; the space '%s' runs on it".formatted(workbench.space())
            : "; it is not active";
    String before = done.replaced().map(label -> ", instead of " + label).orElse("");
    workbench
        .output()
        .result(done, stored.formatted(done.name(), done.version()) + now + before + ".");
  }
}
