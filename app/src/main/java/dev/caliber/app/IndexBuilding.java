package dev.caliber.app;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Progress;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the indexes of spaces and gives their documents vectors. A model that fails leaves indexes
 * of words, and is reported once all spaces have theirs.
 */
final class IndexBuilding {
  private final Workbench workbench;
  private final List<CaliberException> failures = new ArrayList<>();

  IndexBuilding(Workbench workbench) {
    this.workbench = workbench;
  }

  /** One space's index; returns what became of it. */
  @FunctionalInterface
  interface Step {
    String build(SearchIndex index, SpaceId space, Progress progress);
  }

  int run(Step step) {
    try (OpenSearch search = OpenSearch.of(workbench);
        ProgressBar bar = ProgressBar.on(workbench.terminal())) {
      for (SpaceId space : search.spaces()) {
        String built = step.build(search.index(), space, bar);
        embed(search.index(), space, bar);
        show(search.index().status(space), built);
      }
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
    return ExitCode.OK.number();
  }

  private void embed(SearchIndex index, SpaceId space, Progress progress) {
    try {
      index.embed(space, progress);
    } catch (CaliberException e) {
      failures.add(e);
    }
  }

  private void show(SearchStatus status, String built) {
    workbench
        .output()
        .result(
            status,
            "The index of space %s %s: %,d documents, %,d vectors%s."
                .formatted(
                    status.space(), built, status.documents(), status.vectors(), waiting(status)));
  }

  private static String waiting(SearchStatus status) {
    return status.backlog() == 0
        ? ""
        : ", %,d documents wait for theirs".formatted(status.backlog());
  }
}
