package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code caliber spaces create}. */
@Command(
    name = "create",
    header = "Create a space.",
    description = "Creates the store, too, if there is none. An existing space is not changed.")
final class SpacesCreateCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(
      paramLabel = "NAME",
      description = "a to z, 0 to 9, dot, underscore and dash; at most 64; no dash first.")
  private String name = "";

  SpacesCreateCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record SpaceCreateOutput(String space, boolean isNew) {}

  @Override
  public Integer call() {
    SpaceId space = new SpaceId(name);
    boolean isNew =
        commandContext.askServerOrStore(
            serverClient -> askServer(serverClient, space), () -> create(space));
    commandContext
        .output()
        .printResult(
            new SpaceCreateOutput(space.value(), isNew),
            isNew
                ? "Created the space '%s'.".formatted(space)
                : "The space '%s' exists already.".formatted(space));
    return ExitCode.OK.number();
  }

  private static boolean askServer(ServerClient serverClient, SpaceId space) {
    boolean isNew =
        serverClient.list("/spaces", JsonNode.class).stream()
            .noneMatch(known -> known.path("space").asString().equals(space.value()));
    serverClient.post(
        "/spaces", ServerClient.newInput().put("space", space.value()), JsonNode.class);
    return isNew;
  }

  private boolean create(SpaceId space) {
    try (OpenStore store = commandContext.openOrCreate()) {
      boolean isNew = !store.records().spaces().contains(space);
      store.records().createSpace(space);
      return isNew;
    }
  }
}
