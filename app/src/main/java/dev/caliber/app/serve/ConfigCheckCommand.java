package dev.caliber.app.serve;

import dev.caliber.app.shell.AppConfig;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.Terminal;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.settings.SettingsLayer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code caliber config check}. */
@Command(
    name = "check",
    header = "Report all errors of the configuration at once.",
    description =
        "Each error names file, line and column, or the environment variable. Exit code 1 if there is"
            + " one. Opens no store.")
public final class ConfigCheckCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Option(
      names = "--strict",
      description = "Report each setting that the file leaves to the starter version, too.")
  private boolean strict;

  public ConfigCheckCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record ConfigCheckOutput(
      String source,
      String hash,
      List<SettingsLayer> layers,
      int settings,
      List<ConfigProblemOutput> problems) {}

  private record ConfigProblemOutput(String code, String message) {}

  @Override
  public Integer call() {
    AppConfig config = commandContext.findConfig();
    var found = new ArrayList<KernelException>(config.problems());
    if (strict) {
      found.addAll(config.settings().missingInFile());
    }
    commandContext
        .output()
        .printResult(
            new ConfigCheckOutput(
                config.sourceName(),
                config.hash(),
                config.settings().layers(),
                config.settings().declarations().size(),
                found.stream()
                    .map(
                        problem ->
                            new ConfigProblemOutput(problem.code().text(), problem.message()))
                    .toList()),
            () -> print(config, found));
    return (found.isEmpty() ? ExitCode.OK : ExitCode.FAILED).number();
  }

  private void print(AppConfig config, List<KernelException> problems) {
    Terminal terminal = commandContext.terminal();
    problems.stream().map(CaliberException::toLine).forEach(terminal::printLine);
    if (problems.isEmpty()) {
      terminal.printLine(
          "%s: all %d settings are valid (%s)"
              .formatted(
                  config.sourceName(), config.settings().declarations().size(), config.hash()));
    } else {
      int errors = problems.size();
      terminal.printNote(
          "%d %s in %s".formatted(errors, errors == 1 ? "error" : "errors", config.sourceName()));
    }
  }
}
