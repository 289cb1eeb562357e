package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber spaces create}. */
@Command(
    name = "create",
    header = "Make a space.",
    description = "Makes the store as well if it is not there. A space that is there stays as is.")
final class SpacesCreateCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(
      paramLabel = "NAME",
      description = "a to z, 0 to 9, dot, underscore and dash; at most 64; no dash first.")
  private String name = "";

  SpacesCreateCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Created(String space, boolean isNew) {}

  @Override
  public Integer call() {
    SpaceId space = new SpaceId(name);
    try (OpenStore store = workbench.openOrCreate()) {
      boolean isNew = !store.records().spaces().contains(space);
      store.records().createSpace(space);
      workbench
          .output()
          .result(
              new Created(space.value(), isNew),
              isNew
                  ? "Made the space '%s'.".formatted(space)
                  : "The space '%s' was there already.".formatted(space));
    }
    return ExitCode.OK.number();
  }
}
