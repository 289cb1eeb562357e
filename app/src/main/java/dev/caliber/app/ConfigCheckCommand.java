package dev.caliber.app;

import dev.caliber.kernel.CaliberException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber config check}. */
@Command(
    name = "check",
    header = "Report all that is wrong with the configuration at once.",
    description =
        "Each error names file, line and column. Exit code 1 if there is one. Nothing is opened.")
final class ConfigCheckCommand implements Callable<Integer> {
  private final Workbench workbench;

  ConfigCheckCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Checked(String source, String hash, int settings, List<Wrong> problems) {}

  private record Wrong(String code, String message) {}

  @Override
  public Integer call() {
    AppConfig config = workbench.findConfig();
    List<Wrong> problems =
        config.problems().stream()
            .map(problem -> new Wrong(problem.code().text(), problem.message()))
            .toList();
    workbench
        .output()
        .result(
            new Checked(config.sourceName(), config.hash(), config.settings(), problems),
            () -> print(config));
    return (problems.isEmpty() ? ExitCode.OK : ExitCode.FAILED).number();
  }

  private void print(AppConfig config) {
    Terminal terminal = workbench.terminal();
    config.problems().stream().map(CaliberException::report).forEach(terminal::line);
    if (config.problems().isEmpty()) {
      terminal.line(
          "%s: all %d settings are right (%s)"
              .formatted(config.sourceName(), config.settings(), config.hash()));
    } else {
      int errors = config.problems().size();
      terminal.note(
          "%d %s in %s".formatted(errors, errors == 1 ? "error" : "errors", config.sourceName()));
    }
  }
}
