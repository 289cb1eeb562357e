package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber index migrate}. */
@Command(
    name = "migrate",
    header = "Build search indexes that settings ask for and that are not there yet.",
    description =
        "After a change of model, analysis or declarations. The old index answers until the new one"
            + " is complete; a migration that was broken off goes on.")
final class IndexMigrateCommand implements Callable<Integer> {
  private final Workbench workbench;

  IndexMigrateCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    try (OpenSearch search = OpenSearch.of(workbench);
        ProgressBar bar = ProgressBar.on(workbench.terminal())) {
      for (SpaceId space : search.spaces()) {
        boolean migrated = search.index().migrate(space, bar);
        workbench
            .output()
            .result(
                search.index().status(space),
                "The index of space %s %s."
                    .formatted(space, migrated ? "is new" : "is as settings want it"));
      }
    }
    return ExitCode.OK.number();
  }
}
