package dev.caliber.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber index rebuild}. */
@Command(
    name = "rebuild",
    header = "Build search indexes anew from the records.",
    description =
        "Vectors are kept in the store, so that the model is called only for texts that have none"
            + " yet.")
final class IndexRebuildCommand implements Callable<Integer> {
  private final Workbench workbench;

  IndexRebuildCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    return new IndexBuilding(workbench)
        .run(
            (index, space, progress) -> {
              index.rebuild(space, progress);
              return "is new";
            });
  }
}
