package dev.caliber.app.command;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.CommandGroup;
import dev.caliber.app.shell.CommandOutput;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.OpenStore;
import dev.caliber.app.shell.OperationCommand;
import dev.caliber.app.shell.RecordTable;
import dev.caliber.app.shell.Terminal;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.job.Job;
import dev.caliber.store.job.JobState;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.maintenance.BackupReport;
import dev.caliber.store.maintenance.CompactReport;
import dev.caliber.store.maintenance.DoctorFinding;
import dev.caliber.store.maintenance.DoctorReport;
import dev.caliber.store.maintenance.RestoreReport;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;

/** Commands on the files of a store that no server holds: its jobs, its copies and its state. */
public record StoreCommands(CommandContext commandContext) {
  private static final RecordTable<Job> JOBS =
      RecordTable.of(Job.class)
          .column("ID", Job::id)
          .column("KIND", Job::kind)
          .column("STATE", Job::state)
          .column("DUE AT", Job::due)
          .column("ATTEMPTS", Job::attempts)
          .column("LAST ERROR", Job::lastError);

  public CommandLine jobs() {
    return CommandGroup.of(
        "jobs", "List background jobs, and retry dead ones.", listJobs(), retryJob());
  }

  private CommandLine listJobs() {
    return OperationCommand.named(commandContext, "list", "List the jobs of a space, oldest first.")
        .description("A finished job is removed; a dead one remains until it is revived.")
        .option(
            "--state",
            "STATE",
            "state",
            JobState.class,
            "Only jobs in this state: READY, RUNNING or DEAD.")
        .runsAlone(
            input -> {
              String state = input.text("state");
              Query<Job> all = Query.over(Jobs.TABLE);
              printJobs(
                  state.isEmpty() ? all : Query.over(Jobs.TABLE, "state", "kind").equal(state));
              return ExitCode.OK;
            });
  }

  private void printJobs(Query<Job> query) {
    SpaceId space = commandContext.space();
    CommandOutput output = commandContext.output();
    try (OpenStore store = commandContext.open()) {
      Optional<PageCursor> cursor = Optional.empty();
      int limit = store.config().reads().pageLimit();
      do {
        Query<Job> next = cursor.map(query::resume).orElse(query);
        Page<Job> page = store.records().read(space, snapshot -> snapshot.scan(next, limit));
        output.printResults(
            page.records(), () -> JOBS.print(page.records(), commandContext.terminal()));
        cursor = page.next();
      } while (cursor.isPresent());
    }
  }

  private CommandLine retryJob() {
    return OperationCommand.named(
            commandContext, "retry", "Retry a dead job, with all its attempts again.")
        .parameter(
            "ID", "id", Id::parse, "The job's id, as 'caliber jobs list --state dead' shows it.")
        .runsAlone(
            input -> {
              Id job = Id.parse(input.text("id"));
              try (OpenStore store = commandContext.open()) {
                Job revived =
                    store
                        .records()
                        .write(
                            commandContext.space(),
                            transaction -> {
                              Jobs.revive(transaction, job);
                              return transaction.get(Jobs.TABLE, job);
                            });
                commandContext
                    .output()
                    .printResult(revived, "The job %s is ready again.".formatted(job));
                return ExitCode.OK;
              }
            });
  }

  public CommandLine backUp() {
    return OperationCommand.named(
            commandContext, "backup", "Write a consistent copy of the whole store into a new file.")
        .description(
            "Writers can continue meanwhile. The file is an embedded store, whatever the engine, so"
                + " that a store can move between engines.")
        .parameter("FILE", "file", file -> file, "The backup file, which must not exist yet.")
        .runsAlone(
            input -> {
              Path target = commandContext.resolve(Path.of(input.text("file")));
              try (OpenStore store = commandContext.open()) {
                BackupReport report =
                    commandContext.runMaintenance(
                        store, (maintenance, bar) -> maintenance.backup(target, bar));
                commandContext
                    .output()
                    .printResult(
                        report,
                        "Wrote %,d records, %,d bytes, to %s."
                            .formatted(report.records(), report.bytes(), target));
                return ExitCode.OK;
              }
            });
  }

  public CommandLine restore() {
    return OperationCommand.named(
            commandContext, "restore", "Fill an empty store from a backup, all or nothing.")
        .description(
            "Refuses a store that holds records. Every space begins a new epoch, so that data"
                + " derived from the feed is rebuilt. The API keys, webhooks and jobs of the backup"
                + " work in the restored store, so restore only backups that you trust.")
        .parameter("FILE", "file", file -> file, "A file that 'caliber backup' wrote.")
        .runsAlone(
            input -> {
              Path source = commandContext.requireFile(Path.of(input.text("file")));
              RestoreReport report =
                  commandContext.fillStore((maintenance, bar) -> maintenance.restore(source, bar));
              commandContext
                  .output()
                  .printResult(
                      report,
                      "Restored %,d records (spaces: %,d) from %s."
                          .formatted(report.records(), report.spaces(), source));
              return ExitCode.OK;
            });
  }

  public CommandLine compact() {
    return OperationCommand.named(
            commandContext, "compact", "Return the space of deleted records to the file system.")
        .description(
            "Forgotten and expired content is overwritten at once, but its space stays in the store"
                + " file and is reused for new records. This command rewrites the store without"
                + " that free space. Use it after deleting much.",
            "Embedded store: no server may have it open. It takes about as long as copying the"
                + " file, and needs as much free space again in the directory of temporary files"
                + " and beside the store.",
            "PostgreSQL: runs VACUUM (FULL, ANALYZE) on each table in turn. Servers may run, but"
                + " reads and writes of a table wait while it is rewritten, and fail if they wait"
                + " longer than store.postgres.statement-timeout. The disk needs free space for a"
                + " copy of the largest table.",
            "An interrupted run has changed nothing, or only whole tables; run it again.")
        .examples("  caliber forget --subject ann --yes && caliber compact")
        .runsAlone(
            _ -> {
              try (OpenStore store = commandContext.open()) {
                CompactReport report =
                    commandContext.runMaintenance(
                        store, (maintenance, bar) -> maintenance.compact(bar));
                commandContext
                    .output()
                    .printResult(
                        report,
                        "Store size: %,d bytes before, %,d bytes now."
                            .formatted(report.bytesBefore(), report.bytesAfter()));
                return ExitCode.OK;
              }
            });
  }

  public CommandLine examine() {
    return OperationCommand.named(
            commandContext,
            "doctor",
            "Check the store for damage and unsafe settings, and say what to do.")
        .description(
            "Checks rows, columns, indexes, the feed, settings and free disk space. Exit code 1 if"
                + " something is damaged or unsafe.")
        .runsAlone(
            _ -> {
              try (OpenStore store = commandContext.open()) {
                DoctorReport report =
                    commandContext.runMaintenance(
                        store, (maintenance, bar) -> maintenance.examine(bar));
                commandContext.output().printResult(report, () -> print(report));
                return report.isHealthy() ? ExitCode.OK : ExitCode.FAILED;
              }
            });
  }

  private void print(DoctorReport report) {
    Terminal terminal = commandContext.terminal();
    for (DoctorFinding doctorFinding : report.findings()) {
      String severity = doctorFinding.severity().name();
      terminal.printLine(
          "%s %s: %s: %s"
              .formatted(
                  doctorFinding.severity() == DoctorFinding.DoctorSeverity.ERROR
                      ? terminal.error(severity)
                      : terminal.bold(severity),
                  doctorFinding.code(),
                  doctorFinding.where(),
                  doctorFinding.what()));
      terminal.printLine("  " + doctorFinding.advice());
    }
    if (report.omitted() > 0) {
      terminal.printLine("%,d more findings of these kinds".formatted(report.omitted()));
    }
    terminal.printLine(
        "%s: %,d records checked, %,d findings"
            .formatted(
                report.isHealthy() ? terminal.success("Healthy") : terminal.error("NOT healthy"),
                report.records(),
                report.findings().size() + report.omitted()));
  }
}
