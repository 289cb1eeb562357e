package dev.caliber.app;

import dev.caliber.kernel.CaliberException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber config check}. */
@Command(
    name = "check",
    header = "Report all errors of the configuration at once.",
    description =
        "Each error names file, line and column. Exit code 1 if there is one. Opens no store.")
final class ConfigCheckCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  ConfigCheckCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record ConfigCheckOutput(
      String source, String hash, int settings, List<ConfigProblemOutput> problems) {}

  private record ConfigProblemOutput(String code, String message) {}

  @Override
  public Integer call() {
    AppConfig config = commandContext.findConfig();
    List<ConfigProblemOutput> problems =
        config.problems().stream()
            .map(problem -> new ConfigProblemOutput(problem.code().text(), problem.message()))
            .toList();
    commandContext
        .output()
        .printResult(
            new ConfigCheckOutput(
                config.sourceName(), config.hash(), config.settingCount(), problems),
            () -> print(config));
    return (problems.isEmpty() ? ExitCode.OK : ExitCode.FAILED).number();
  }

  private void print(AppConfig config) {
    Terminal terminal = commandContext.terminal();
    config.problems().stream().map(CaliberException::report).forEach(terminal::printLine);
    if (config.problems().isEmpty()) {
      terminal.printLine(
          "%s: all %d settings are valid (%s)"
              .formatted(config.sourceName(), config.settingCount(), config.hash()));
    } else {
      int errors = config.problems().size();
      terminal.printNote(
          "%d %s in %s".formatted(errors, errors == 1 ? "error" : "errors", config.sourceName()));
    }
  }
}
