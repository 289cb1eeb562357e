package dev.caliber.app.demo;

import dev.caliber.app.pack.DiagnosticPrinter;
import dev.caliber.app.pack.ReportingPackComposer;
import dev.caliber.app.serve.StarterPack;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.OpenStore;
import dev.caliber.app.shell.Terminal;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.pack.ComposeResult;
import dev.caliber.lang.pack.ComposeResult.ComposeSuccess;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.memory.deployment.ActiveConfig;
import dev.caliber.memory.deployment.ActiveConfigs;
import dev.caliber.memory.deployment.AuditStamp;
import dev.caliber.memory.deployment.ConfigDeployment;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.Deployments.ConfigActivation;
import dev.caliber.memory.deployment.Deployments.ConfigRollback;
import dev.caliber.memory.deployment.StoredConfig;
import dev.caliber.server.operation.PackDeploymentFactory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Part of the demo about packs: a pack with a mistake, two versions of it, and a rollback. */
final class DemoPack {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String NAME = "demo";
  private static final AuditStamp STAMP = AuditStamp.of(NAME);
  private static final String PROFILE = "\"profiles.long\"";
  private static final String BUDGET = "max_tokens = 2000";

  private final DemoReporter stage;
  private final ReportingPackComposer bench;
  private final OpenStore store;
  private final Deployments deployments;

  DemoPack(DemoReporter stage, CommandContext commandContext, OpenStore store) {
    this.stage = stage;
    this.bench = new ReportingPackComposer(commandContext);
    this.store = store;
    this.deployments = Deployments.of(store.records());
  }

  void run() {
    stage.beginPart("What agents remember and may do is a pack, compiled and deployed in versions");
    showRejectedMistake();
    showRollback();
  }

  private void showRejectedMistake() {
    stage.printText("The starter pack, with two letters of a name swapped:");
    PackSource source = modifiedPack(PROFILE, PROFILE.replace("long", "lnog"));
    List<Diagnostic> found =
        switch (bench.compose(source)) {
          case ComposeResult.ComposeFailure composeFailure -> composeFailure.diagnostics();
          case ComposeSuccess _ -> List.of();
        };
    found.forEach(diagnostic -> stage.printText(renderDiagnostic(diagnostic, source)));
    stage.check("it is refused, with the position of the mistake", found.size() == 1);
  }

  private static String renderDiagnostic(Diagnostic diagnostic, PackSource source) {
    var bytes = new ByteArrayOutputStream();
    var out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    List<String> lines = source.text(diagnostic.file()).orElse("").lines().toList();
    new DiagnosticPrinter(Terminal.of(out, out)).print(diagnostic, lines);
    return bytes.toString(StandardCharsets.UTF_8).strip().indent(2);
  }

  private void showRollback() {
    stage.printText("Without the mistake it is deployed; then again, with a larger budget:");
    try (ActiveConfigs running = ActiveConfigs.follow(store.records(), store.config().feed())) {
      StoredConfig first = activate(modifiedPack(BUDGET, BUDGET));
      StoredConfig second = activate(modifiedPack(BUDGET, "max_tokens = 4000"));
      stage.check("they are versions 1 and 2", first.version() == 1 && second.version() == 2);
      stage.check("the process runs on version 2 without a restart", isRunning(running, second));
      deployments.rollback(SPACE, new ConfigRollback(Optional.empty(), STAMP));
      stage.check("after a rollback it runs on version 1", isRunning(running, first));
      Optional<StoredConfig> back = deployments.activeVersion(SPACE);
      stage.check(
          "which is what was deployed, byte for byte",
          back.filter(now -> Json.text(now).equals(Json.text(first))).isPresent());
    }
  }

  /** Stores the pack and activates it in the space, in one commit. */
  private StoredConfig activate(PackSource source) {
    ConfigDeployment request =
        PackDeploymentFactory.deployCommand(NAME, compose(source), source, STAMP);
    return store
        .records()
        .write(
            SPACE,
            transaction -> {
              int version = deployments.deploy(transaction, request).config().version();
              return deployments
                  .activate(transaction, new ConfigActivation(NAME, version, STAMP))
                  .config();
            });
  }

  private ComposeSuccess compose(PackSource source) {
    return switch (bench.compose(source)) {
      case ComposeSuccess pack -> pack;
      case ComposeResult.ComposeFailure composeFailure -> throw composeFailure.error();
    };
  }

  private boolean isRunning(ActiveConfigs running, StoredConfig wanted) {
    long sequence = store.feed().head(SPACE).sequence();
    return running
        .activeConfig(SPACE, sequence)
        .map(ActiveConfig::hash)
        .filter(wanted.hash()::equals)
        .isPresent();
  }

  /** Returns the starter pack with one text of its manifest replaced, and without its lock. */
  private static PackSource modifiedPack(String from, String to) {
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
