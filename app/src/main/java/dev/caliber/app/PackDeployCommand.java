package dev.caliber.app;

import dev.caliber.lang.pack.ComposeResult.Composed;
import dev.caliber.lang.pack.PackSource;
import dev.caliber.server.operation.PackDeployment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

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

  @Option(names = "--unlocked", description = "Also without a cal.lock. A wrong one is refused.")
  private boolean unlocked;

  @Mixin private DeployOptions options = new DeployOptions();

  PackDeployCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    PackBench bench = new PackBench(workbench);
    Findings findings = Findings.beside(workbench);
    PackSource source = bench.read(directory);
    bench.composed(directory, source, findings).ifPresent(pack -> deploy(pack, source));
    return findings.conclude("").number();
  }

  private void deploy(Composed pack, PackSource source) {
    if (!unlocked && !source.has(PackSource.LOCK)) {
      throw AppException.notLocked(directory);
    }
    String project = pack.ir().meta().project();
    ObjectNode content = Remote.input();
    ObjectNode files = content.putObject("files");
    source.paths().forEach(path -> source.bytes(path).ifPresent(bytes -> files.put(path, bytes)));
    options.deploy(
        workbench,
        PackDeployment.of(name.orElse(project), pack, source, options.stamp(workbench)),
        content);
  }
}
