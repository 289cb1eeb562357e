package dev.caliber.app;

import dev.caliber.store.CompactReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber compact}. */
@Command(
    name = "compact",
    header = "Return the space of deleted records to the file system.",
    description = {
      "Forgotten and expired content is overwritten at once, but its space stays in the store file"
          + " and is reused for new records. This command rewrites the store without that free"
          + " space. Use it after deleting much.",
      "Embedded store: no server may have it open. It takes about as long as copying the file, and"
          + " needs as much free space again in the directory of temporary files and beside the"
          + " store.",
      "PostgreSQL: runs VACUUM (FULL, ANALYZE) on each table in turn. Servers may run, but reads"
          + " and writes of a table wait while it is rewritten, and fail if they wait longer than"
          + " store.postgres.statement-timeout. The disk needs free space for a copy of the largest"
          + " table.",
      "An interrupted run has changed nothing, or only whole tables; run it again."
    },
    footerHeading = "%nExamples:%n",
    footer = "  caliber forget --subject ann --yes && caliber compact")
final class CompactCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  CompactCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    try (OpenStore store = commandContext.open()) {
      CompactReport report =
          commandContext.runMaintenance(store, (maintenance, bar) -> maintenance.compact(bar));
      commandContext
          .output()
          .printResult(
              report,
              "Store size: %,d bytes before, %,d bytes now."
                  .formatted(report.bytesBefore(), report.bytesAfter()));
    }
    return ExitCode.OK.number();
  }
}
