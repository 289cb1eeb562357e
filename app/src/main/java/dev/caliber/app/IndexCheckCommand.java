package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.search.IndexCheckReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber index check}. */
@Command(
    name = "check",
    header = "Compare search indexes with the records.",
    description =
        "Exit code 1 if an index lacks a document, has an outdated one, or has one too many.")
final class IndexCheckCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  IndexCheckCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    long differences = 0;
    try (OpenIndex search = OpenIndex.of(commandContext);
        ProgressBar bar = ProgressBar.forTerminal(commandContext.terminal())) {
      for (SpaceId space : search.spaces()) {
        IndexCheckReport check = search.index().check(space, bar);
        differences += check.differences();
        commandContext.output().printResult(check, () -> print(space, check));
      }
    }
    return (differences == 0 ? ExitCode.OK : ExitCode.FAILED).number();
  }

  private void print(SpaceId space, IndexCheckReport check) {
    check.examples().forEach(commandContext.terminal()::printLine);
    commandContext
        .terminal()
        .printLine(
            "%s: %,d documents, %,d vectors, %,d differences"
                .formatted(space, check.documents(), check.vectors(), check.differences()));
  }
}
