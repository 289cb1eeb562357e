package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.pcp.CleanupCounts;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber cleanup}. */
@Command(
    name = "cleanup",
    header = "Close abandoned work and remove expired records.",
    description = {
      "Runs now the clean-up that a server runs at intervals (memory.retention.interval), and"
          + " prints the counts: abandoned trajectories and scopes, and expired context windows,"
          + " locks, messages and cached vectors. Only a server deletes vectors: this command loads"
          + " no model, and cannot tell which vectors are in use."
    },
    footerHeading = "%nExamples:%n",
    footer = "  caliber cleanup --space team-a")
final class CleanupCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  CleanupCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    CleanupCounts done = commandContext.askServerOrStore(CleanupCommand::askServer, this::clean);
    commandContext.output().printResult(done, () -> print(done));
    return ExitCode.OK.number();
  }

  private static CleanupCounts askServer(ServerClient serverClient) {
    return serverClient.post("/cleanup", ServerClient.newInput(), CleanupCounts.class);
  }

  /** Cleans up without models, so that no vector is deleted. */
  private CleanupCounts clean() {
    SpaceId space = commandContext.space();
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, false)) {
      return context.guardian().runCleanup(space);
    }
  }

  private void print(CleanupCounts done) {
    TextTable table = TextTable.of("WHAT", "COUNT");
    addRow(table, "trajectories failed", done.trajectoriesFailed());
    addRow(table, "scopes closed", done.scopesClosed());
    addRow(table, "context windows deleted", done.contextWindowsDeleted());
    addRow(table, "locks released", done.locksReleased());
    addRow(table, "messages deleted", done.messagesDeleted());
    addRow(table, "cached vectors deleted", done.cacheEntriesDeleted());
    table.print(commandContext.terminal());
  }

  private static void addRow(TextTable table, String what, long number) {
    table.addRow(what, "%,d".formatted(number));
  }
}
