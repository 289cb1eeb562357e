package dev.caliber.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber index migrate}. */
@Command(
    name = "migrate",
    header = "Build search indexes that settings ask for and that are not there yet.",
    description =
        "After a change of model, analysis or declarations. The old index answers until the new one"
            + " is complete; a migration that was broken off goes on. Texts that the model has not"
            + " seen are then embedded.")
final class IndexMigrateCommand implements Callable<Integer> {
  private final Workbench workbench;

  IndexMigrateCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    return new IndexBuilding(workbench)
        .run(
            (index, space, progress) ->
                index.migrate(space, progress) ? "is new" : "is as settings want it");
  }
}
