package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.search.IndexCheck;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber index check}. */
@Command(
    name = "check",
    header = "Hold search indexes against the records.",
    description = "Exit code 1 if a document is missing, outdated or too many.")
final class IndexCheckCommand implements Callable<Integer> {
  private final Workbench workbench;

  IndexCheckCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    long differences = 0;
    try (OpenSearch search = OpenSearch.withModels(workbench);
        ProgressBar bar = ProgressBar.on(workbench.terminal())) {
      for (SpaceId space : search.spaces()) {
        IndexCheck check = search.index().check(space, bar);
        differences += check.differences();
        workbench.output().result(check, () -> print(space, check));
      }
    }
    return (differences == 0 ? ExitCode.OK : ExitCode.FAILED).number();
  }

  private void print(SpaceId space, IndexCheck check) {
    check.examples().forEach(workbench.terminal()::line);
    workbench
        .terminal()
        .line(
            "%s: %,d documents, %,d vectors, %,d differences"
                .formatted(space, check.documents(), check.vectors(), check.differences()));
  }
}
