package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber index embed}. */
@Command(
    name = "embed",
    header = "Create the vectors that search indexes wait for.",
    description =
        "Loads the configured embedding model and embeds every text that has no vector yet. Vectors"
            + " created before an interruption are kept.")
final class IndexEmbedCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  IndexEmbedCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    try (OpenIndex search = OpenIndex.of(commandContext);
        ProgressBar bar = ProgressBar.forTerminal(commandContext.terminal())) {
      search.models().embedder("caliber index embed");
      for (SpaceId space : search.spaces()) {
        search.index().embedPending(space, bar);
        commandContext
            .output()
            .printResult(
                search.index().status(space),
                "Space %s: %,d vectors, %,d texts wait."
                    .formatted(
                        space,
                        search.index().status(space).vectors(),
                        search.index().status(space).backlog()));
      }
    }
    return ExitCode.OK.number();
  }
}
