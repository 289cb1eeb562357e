package dev.caliber.app;

import dev.caliber.store.CompactReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber compact}. */
@Command(
    name = "compact",
    header = "Give the room that deleted records took back to the file system.",
    description = {
      "What is forgotten or expires is overwritten at once, but its room stays in the store and is"
          + " used again by new records. This command rewrites the store without that room. Use it"
          + " after much was deleted.",
      "Embedded store: no server may have it open. It takes about as long as copying the file, and"
          + " for that time as much room again, in the directory of temporary files and beside the"
          + " store.",
      "PostgreSQL: runs VACUUM (FULL, ANALYZE) on one table after the other. Servers may run, but"
          + " reads and writes of a table wait while it is rewritten, and fail when they wait longer"
          + " than store.postgres.answer-timeout. The disk needs room for a copy of the largest"
          + " table.",
      "A run that was cut off has changed nothing, or only whole tables; start it again."
    },
    footerHeading = "%nExamples:%n",
    footer = "  caliber forget --subject ann --yes && caliber compact")
final class CompactCommand implements Callable<Integer> {
  private final Workbench workbench;

  CompactCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    try (OpenStore store = workbench.open()) {
      CompactReport report =
          workbench.maintain(store, (maintenance, bar) -> maintenance.compact(bar));
      workbench
          .output()
          .result(
              report,
              "The store took %,d bytes and takes %,d now."
                  .formatted(report.bytesBefore(), report.bytesAfter()));
    }
    return ExitCode.OK.number();
  }
}
