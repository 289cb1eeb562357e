package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Trajectory;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code caliber artifacts}. */
@Command(
    name = "artifacts",
    header = "List the artifacts of a trajectory, oldest first.",
    description =
        "Shows the id, type and status of each artifact. A superseded or expired artifact is not"
            + " live. The table cuts long texts; --json prints them whole.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber artifacts thread-7",
      "  caliber artifacts thread-7 --live --json",
    })
final class ArtifactsCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  @Option(names = "--live", description = "Only live artifacts: neither superseded nor expired.")
  private boolean live;

  ArtifactsCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    List<Artifact> made = commandContext.askServerOrStore(this::askServer, this::readStore);
    commandContext.output().printResults(made, () -> print(made));
    return ExitCode.OK.number();
  }

  private Instant now() {
    return commandContext.environment().clock().instant();
  }

  private List<Artifact> askServer(ServerClient serverClient) {
    String path = "/trajectories/" + trajectory.resolveId(serverClient);
    Trajectory _ =
        serverClient.get(path, Trajectory.class); // throws if the trajectory does not exist
    return serverClient.list(path + "/artifacts?live=" + live, Artifact.class);
  }

  private List<Artifact> readStore() {
    SpaceId space = commandContext.space();
    Instant now = now();
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, false)) {
      Id id = trajectory.resolveId(context, space);
      return context.memory().view(space, view -> view.artifacts(view.trajectory(id).id())).stream()
          .filter(made -> live ? made.isLive(now) : made.rolledBackAt().isEmpty())
          .sorted(Comparator.comparing(Artifact::createdAt).thenComparing(Artifact::id))
          .toList();
    }
  }

  private void print(List<Artifact> made) {
    if (made.isEmpty()) {
      commandContext
          .terminal()
          .printNote(
              live
                  ? "No live artifacts. Omit --live to include superseded and expired ones."
                  : "The trajectory has no artifacts.");
      return;
    }
    Instant now = now();
    TextTable table = TextTable.of("ARTIFACT", "CREATED", "TYPE", "STATE", "TEXT");
    made.forEach(
        one ->
            table.addRow(
                one.id().toString(),
                Timestamps.format(one.createdAt()),
                FilterOptions.lowerCaseName(one.type()),
                state(one, now),
                one.content().text().map(TextTable::toCell).orElse("")));
    commandContext.output().printTable(table);
  }

  private static String state(Artifact made, Instant now) {
    if (made.isLive(now)) {
      return "live";
    }
    return made.supersededBy().map(id -> "superseded by " + id).orElse("expired");
  }
}
