package dev.caliber.app;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.pack.ComposeResult;
import dev.caliber.lang.pack.ComposeResult.Composed;
import dev.caliber.lang.pack.PackSource;
import dev.caliber.memory.deployment.ActiveConfig;
import dev.caliber.memory.deployment.ActiveConfigs;
import dev.caliber.memory.deployment.DeployConfig;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.Deployments.Activate;
import dev.caliber.memory.deployment.Deployments.Rollback;
import dev.caliber.memory.deployment.Stamp;
import dev.caliber.memory.deployment.StoredConfig;
import dev.caliber.server.operation.PackDeployment;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A part of the demo: a pack with a mistake, two versions of it, and the way back. */
final class DemoPack {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String NAME = "demo";
  private static final Stamp STAMP = Stamp.by(NAME);
  private static final String PROFILE = "\"profiles.long\"";
  private static final String BUDGET = "max_tokens = 2000";

  private final DemoStage stage;
  private final PackBench bench;
  private final OpenStore store;
  private final Deployments deployments;

  DemoPack(DemoStage stage, Workbench workbench, OpenStore store) {
    this.stage = stage;
    this.bench = new PackBench(workbench);
    this.store = store;
    this.deployments = Deployments.of(store.records());
  }

  void run() {
    stage.part("What agents remember and may do is a pack, compiled and deployed in versions");
    refuseAMistake();
    goBack();
  }

  private void refuseAMistake() {
    stage.say("The starter pack, with two letters of a name exchanged:");
    PackSource source = changed(PROFILE, PROFILE.replace("long", "lnog"));
    List<Diagnostic> found =
        switch (bench.compose(source)) {
          case ComposeResult.Rejected rejected -> rejected.diagnostics();
          case Composed _ -> List.of();
        };
    found.forEach(diagnostic -> stage.say(shown(diagnostic, source)));
    stage.check("it is refused, with the place of the mistake", found.size() == 1);
  }

  private static String shown(Diagnostic diagnostic, PackSource source) {
    var bytes = new ByteArrayOutputStream();
    var out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    List<String> lines = source.text(diagnostic.file()).orElse("").lines().toList();
    new DiagnosticView(Terminal.of(out, out)).print(diagnostic, lines);
    return bytes.toString(StandardCharsets.UTF_8).strip().indent(2);
  }

  private void goBack() {
    stage.say("Without the mistake it is deployed; then once more, with a larger budget:");
    try (ActiveConfigs running = ActiveConfigs.follow(store.records(), store.config().feed())) {
      StoredConfig first = activate(changed(BUDGET, BUDGET));
      StoredConfig second = activate(changed(BUDGET, "max_tokens = 4000"));
      stage.check("they are versions 1 and 2", first.version() == 1 && second.version() == 2);
      stage.check("the process runs on version 2 without a restart", isRunning(running, second));
      deployments.rollback(SPACE, new Rollback(Optional.empty(), STAMP));
      stage.check("after a rollback it runs on version 1", isRunning(running, first));
      Optional<StoredConfig> back = deployments.active(SPACE);
      stage.check(
          "which is what was deployed, byte for byte",
          back.filter(now -> Json.text(now).equals(Json.text(first))).isPresent());
    }
  }

  /** Stores the pack and lets the space run on it, in one commit. */
  private StoredConfig activate(PackSource source) {
    DeployConfig wish = PackDeployment.of(NAME, composed(source), source, STAMP);
    return store
        .records()
        .write(
            SPACE,
            transaction -> {
              int version = deployments.deploy(transaction, wish).config().version();
              return deployments.activate(transaction, new Activate(NAME, version, STAMP)).config();
            });
  }

  private Composed composed(PackSource source) {
    return switch (bench.compose(source)) {
      case Composed pack -> pack;
      case ComposeResult.Rejected rejected -> throw rejected.error();
    };
  }

  private boolean isRunning(ActiveConfigs running, StoredConfig wanted) {
    long sequence = store.feed().head(SPACE).sequence();
    return running
        .current(SPACE, sequence)
        .map(ActiveConfig::hash)
        .filter(wanted.hash()::equals)
        .isPresent();
  }

  /** The starter pack with another text in its manifest, and without its lock. */
  private static PackSource changed(String from, String to) {
    Map<String, byte[]> files = StarterPack.files();
    files.remove(PackSource.LOCK);
    files.computeIfPresent(
        PackSource.MANIFEST,
        (_, bytes) ->
            new String(bytes, StandardCharsets.UTF_8)
                .replace(from, to)
                .getBytes(StandardCharsets.UTF_8));
    return PackSource.of(files);
  }
}
