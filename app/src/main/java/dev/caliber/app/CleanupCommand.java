package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.pcp.CleanedUp;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber cleanup}. */
@Command(
    name = "cleanup",
    header = "End what nobody works on, and remove what has had its time.",
    description = {
      "Does here and now what a server does from time to time (memory.retention.interval), and says"
          + " how much there was: trajectories and scopes that nobody works on, context windows,"
          + " locks, messages and cached vectors whose time is over. Only a server deletes vectors:"
          + " this command loads no model, and cannot say which are in use."
    },
    footerHeading = "%nExamples:%n",
    footer = "  caliber cleanup --space team-a")
final class CleanupCommand implements Callable<Integer> {
  private final Workbench workbench;

  CleanupCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    CleanedUp done = workbench.ask(CleanupCommand::ask, this::clean);
    workbench.output().result(done, () -> print(done));
    return ExitCode.OK.number();
  }

  private static CleanedUp ask(Remote remote) {
    return remote.post("/cleanup", Remote.input(), CleanedUp.class);
  }

  /** Without models no vector goes. */
  private CleanedUp clean() {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, false)) {
      return context.guardian().cleanUp(space);
    }
  }

  private void print(CleanedUp done) {
    TextTable table = TextTable.of("WHAT", "HOW MANY");
    row(table, "trajectories failed", done.trajectoriesFailed());
    row(table, "scopes closed", done.scopesClosed());
    row(table, "context windows deleted", done.contextWindowsDeleted());
    row(table, "locks released", done.locksReleased());
    row(table, "messages deleted", done.messagesDeleted());
    row(table, "cached vectors deleted", done.cacheEntriesDeleted());
    table.print(workbench.terminal());
  }

  private static void row(TextTable table, String what, long number) {
    table.row(what, "%,d".formatted(number));
  }
}
