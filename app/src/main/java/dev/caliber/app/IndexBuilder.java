package dev.caliber.app;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the indexes of spaces and the vectors of their documents. If a model fails, the indexes
 * have words only; the failure is reported once, after the last space.
 */
final class IndexBuilder {
  private final CommandContext commandContext;
  private final List<CaliberException> failures = new ArrayList<>();

  IndexBuilder(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  /** Builds one space's index; returns its state. */
  @FunctionalInterface
  interface IndexBuildStep {
    String build(SearchIndex index, SpaceId space, ProgressListener progressListener);
  }

  int buildAll(IndexBuildStep indexBuildStep) {
    try (OpenIndex search = OpenIndex.of(commandContext);
        ProgressBar bar = ProgressBar.forTerminal(commandContext.terminal())) {
      for (SpaceId space : search.spaces()) {
        String built = indexBuildStep.build(search.index(), space, bar);
        embed(search.index(), space, bar);
        printStatus(search.index().status(space), built);
      }
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
    return ExitCode.OK.number();
  }

  private void embed(SearchIndex index, SpaceId space, ProgressListener progressListener) {
    try {
      index.embedPending(space, progressListener);
    } catch (CaliberException e) {
      failures.add(e);
    }
  }

  private void printStatus(SearchStatus status, String built) {
    commandContext
        .output()
        .printResult(
            status,
            "The index of space %s %s: %,d documents, %,d vectors%s."
                .formatted(
                    status.space(),
                    built,
                    status.documents(),
                    status.vectors(),
                    backlogText(status)));
  }

  private static String backlogText(SearchStatus status) {
    return status.backlog() == 0
        ? ""
        : ", %,d documents wait for their vectors".formatted(status.backlog());
  }
}
