package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber index rebuild}. */
@Command(
    name = "rebuild",
    header = "Build search indexes anew from the records.",
    description = "Vectors are kept in the store, so that no model is called.")
final class IndexRebuildCommand implements Callable<Integer> {
  private final Workbench workbench;

  IndexRebuildCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    try (OpenSearch search = OpenSearch.of(workbench);
        ProgressBar bar = ProgressBar.on(workbench.terminal())) {
      for (SpaceId space : search.spaces()) {
        search.index().rebuild(space, bar);
        workbench
            .output()
            .result(search.index().status(space), "The index of space %s is new.".formatted(space));
      }
    }
    return ExitCode.OK.number();
  }
}
