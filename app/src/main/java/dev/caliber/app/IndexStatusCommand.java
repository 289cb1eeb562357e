package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.search.SearchStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber index status}. */
@Command(
    name = "status",
    header = "Show the progress of each space's search index.",
    description =
        "First updates each index, for at most as long as a query would. BACKLOG counts documents"
            + " that wait for vectors, FAILED those whose text cannot be embedded.")
final class IndexStatusCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  IndexStatusCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
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
            "PENDING",
            "FAILED",
            "NOTE");
    CommandOutput commandOutput = commandContext.output();
    try (OpenIndex search = OpenIndex.of(commandContext)) {
      for (SpaceId space : search.spaces()) {
        search.awaitIndexed(space);
        SearchStatus status = search.index().status(space);
        commandOutput.printResult(status, () -> add(table, status));
      }
    }
    if (!commandOutput.json()) {
      commandOutput.printTable(table);
    }
    return ExitCode.OK.number();
  }

  private static void add(TextTable table, SearchStatus status) {
    table.addRow(
        status.space().value(),
        status.generation(),
        CommandOutput.formatNumber(status.applied()),
        CommandOutput.formatNumber(status.head()),
        CommandOutput.formatNumber(status.documents()),
        CommandOutput.formatNumber(status.vectors()),
        CommandOutput.formatNumber(status.backlog()),
        CommandOutput.formatNumber(status.failed()),
        status.degraded().orElse(""));
  }
}
