package dev.caliber.app.pack;

import dev.caliber.app.shell.AppException;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.OperationInput;
import dev.caliber.lang.pack.ComposeResult.ComposeSuccess;
import dev.caliber.lang.pack.manifest.PackSource;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber pack deploy}. */
@Command(
    name = "deploy",
    header = "Store a pack as a new version in a space, and activate it.",
    description =
        "The pack has to match cal.lock. One commit stores its files, tree, text and compiled"
            + " configuration, and activates it. An unchanged pack makes no new version.")
final class PackDeployCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(paramLabel = "DIR", description = "The directory of cal.toml.")
  private Path directory = Path.of("");

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The name that its versions are counted under. Default: meta.project.")
  private Optional<String> name = Optional.empty();

  @Option(
      names = "--allow-unlocked",
      description = "Deploy even without a cal.lock. A wrong cal.lock is still refused.")
  private boolean unlocked;

  @Mixin private DeployOptions options = new DeployOptions();

  PackDeployCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    ReportingPackComposer bench = new ReportingPackComposer(commandContext);
    DiagnosticReporter diagnosticReporter = DiagnosticReporter.onStandardError(commandContext);
    PackSource source = bench.readSource(directory);
    bench
        .composeAndReport(directory, source, diagnosticReporter)
        .ifPresent(pack -> deploy(pack, source));
    return diagnosticReporter.printSummary("").number();
  }

  private void deploy(ComposeSuccess pack, PackSource source) {
    if (!unlocked && !source.has(PackSource.LOCK)) {
      throw AppException.notLocked(directory);
    }
    String project = pack.ir().meta().project();
    Map<String, byte[]> files = new TreeMap<>();
    source.paths().forEach(path -> source.bytes(path).ifPresent(bytes -> files.put(path, bytes)));
    options.deploy(
        commandContext, OperationInput.of("name", name.orElse(project)).with("files", files));
  }
}
