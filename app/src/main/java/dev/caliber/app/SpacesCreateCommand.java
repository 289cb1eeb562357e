package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

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
    boolean isNew = workbench.ask(remote -> ask(remote, space), () -> create(space));
    workbench
        .output()
        .result(
            new Created(space.value(), isNew),
            isNew
                ? "Made the space '%s'.".formatted(space)
                : "The space '%s' was there already.".formatted(space));
    return ExitCode.OK.number();
  }

  private static boolean ask(Remote remote, SpaceId space) {
    boolean isNew =
        remote.list("/spaces", JsonNode.class).stream()
            .noneMatch(known -> known.path("space").asString().equals(space.value()));
    remote.post("/spaces", Remote.input().put("space", space.value()), JsonNode.class);
    return isNew;
  }

  private boolean create(SpaceId space) {
    try (OpenStore store = workbench.openOrCreate()) {
      boolean isNew = !store.records().spaces().contains(space);
      store.records().createSpace(space);
      return isNew;
    }
  }
}
