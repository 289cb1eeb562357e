package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.search.SearchStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber index status}. */
@Command(
    name = "status",
    header = "Show how far the search index of each space is.",
    description =
        "Brings each index up to date first, as far as that takes no longer than a query. BACKLOG"
            + " counts documents that wait for vectors, FAILED those whose text gets none.")
final class IndexStatusCommand implements Callable<Integer> {
  private final Workbench workbench;

  IndexStatusCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    TextTable table =
        TextTable.of(
            "SPACE",
            "INDEX",
            "APPLIED",
            "HEAD",
            "DOCUMENTS",
            "VECTORS",
            "BACKLOG",
            "FAILED",
            "NOTE");
    Output output = workbench.output();
    try (OpenSearch search = OpenSearch.of(workbench)) {
      for (SpaceId space : search.spaces()) {
        search.settle(space);
        SearchStatus status = search.index().status(space);
        output.result(status, () -> add(table, status));
      }
    }
    if (!output.json()) {
      output.table(table);
    }
    return ExitCode.OK.number();
  }

  private static void add(TextTable table, SearchStatus status) {
    table.row(
        status.space().value(),
        status.generation(),
        Output.number(status.applied()),
        Output.number(status.head()),
        Output.number(status.documents()),
        Output.number(status.vectors()),
        Output.number(status.backlog()),
        Output.number(status.failed()),
        status.degraded().orElse(""));
  }
}
