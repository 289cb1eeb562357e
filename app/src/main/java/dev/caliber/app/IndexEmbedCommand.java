package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber index embed}. */
@Command(
    name = "embed",
    header = "Make the vectors that search indexes wait for.",
    description =
        "Loads the configured embedding model and embeds every text that has no vector yet, here"
            + " and now. What was embedded stays when the command is interrupted.")
final class IndexEmbedCommand implements Callable<Integer> {
  private final Workbench workbench;

  IndexEmbedCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    try (OpenSearch search = OpenSearch.withModels(workbench);
        ProgressBar bar = ProgressBar.on(workbench.terminal())) {
      search.models().orElseThrow().embedder("caliber index embed");
      for (SpaceId space : search.spaces()) {
        search.index().embed(space, bar);
        workbench
            .output()
            .result(
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
