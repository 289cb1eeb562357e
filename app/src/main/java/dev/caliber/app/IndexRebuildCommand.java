package dev.caliber.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber index rebuild}. */
@Command(
    name = "rebuild",
    header = "Rebuild search indexes from the records.",
    description =
        "Vectors are kept in the store, so the model is called only for texts without one.")
final class IndexRebuildCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  IndexRebuildCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    return new IndexBuilder(commandContext)
        .buildAll(
            (index, space, progressListener) -> {
              index.rebuild(space, progressListener);
              return "is new";
            });
  }
}
