package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.store.Job;
import dev.caliber.store.JobState;
import dev.caliber.store.Jobs;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code caliber jobs list}. */
@Command(
    name = "list",
    header = "List the jobs of a space, oldest first.",
    description = "A finished job is removed; a dead one remains until it is retried.")
final class JobsListCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only jobs in this state: READY, RUNNING or DEAD.")
  private Optional<JobState> state = Optional.empty();

  JobsListCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    SpaceId space = commandContext.space();
    try (OpenStore store = commandContext.open()) {
      Query<Job> query =
          state
              .map(wanted -> Query.over(Jobs.TABLE, "state", "kind").equal(wanted.name()))
              .orElse(Query.over(Jobs.TABLE));
      Optional<PageCursor> cursor = Optional.empty();
      int limit = store.config().reads().pageLimit();
      do {
        Query<Job> next = cursor.map(query::resume).orElse(query);
        Page<Job> page = store.records().read(space, snapshot -> snapshot.scan(next, limit));
        print(page, cursor.isEmpty());
        cursor = page.next();
      } while (cursor.isPresent());
    }
    return ExitCode.OK.number();
  }

  private void print(Page<Job> page, boolean first) {
    CommandOutput commandOutput = commandContext.output();
    TextTable table = TextTable.of("ID", "KIND", "STATE", "DUE AT", "ATTEMPTS", "LAST ERROR");
    for (Job job : page.records()) {
      commandOutput.printResult(
          job,
          () ->
              table.addRow(
                  job.id().toString(),
                  job.kind(),
                  job.state().name(),
                  Timestamps.format(job.due()),
                  CommandOutput.formatNumber(job.attempts()),
                  job.lastError().orElse("")));
    }
    if (!commandOutput.json() && (first || !table.isEmpty())) {
      commandOutput.printTable(table);
    }
  }
}
