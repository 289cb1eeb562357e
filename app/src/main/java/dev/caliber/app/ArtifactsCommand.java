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
    header = "What was made in a trajectory, oldest first.",
    description =
        "Says of each its id, its type, and whether it counts: it does not once another took its"
            + " place or its time is over. The table cuts long texts; --json has them whole.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber artifacts thread-7",
      "  caliber artifacts thread-7 --live --json",
    })
final class ArtifactsCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  @Option(
      names = "--live",
      description = "Only those that count now: neither superseded nor expired.")
  private boolean live;

  ArtifactsCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    List<Artifact> made = workbench.ask(this::ask, this::read);
    workbench.output().results(made, () -> print(made));
    return ExitCode.OK.number();
  }

  private Instant now() {
    return workbench.surroundings().clock().instant();
  }

  private List<Artifact> ask(Remote remote) {
    String path = "/trajectories/" + trajectory.of(remote);
    Trajectory _ = remote.get(path, Trajectory.class); // refused if there is none
    return remote.list(path + "/artifacts?live=" + live, Artifact.class);
  }

  private List<Artifact> read() {
    SpaceId space = workbench.space();
    Instant now = now();
    try (OpenContext context = OpenContext.of(workbench, false)) {
      Id id = trajectory.of(context, space);
      return context.memory().view(space, view -> view.artifacts(view.trajectory(id).id())).stream()
          .filter(made -> live ? made.isLive(now) : made.rolledBackAt().isEmpty())
          .sorted(Comparator.comparing(Artifact::createdAt).thenComparing(Artifact::id))
          .toList();
    }
  }

  private void print(List<Artifact> made) {
    if (made.isEmpty()) {
      workbench
          .terminal()
          .note(
              live
                  ? "No artifact of it counts now. Without --live, those that did are listed, too."
                  : "Nothing was made in it.");
      return;
    }
    Instant now = now();
    TextTable table = TextTable.of("ARTIFACT", "MADE", "TYPE", "STATE", "TEXT");
    made.forEach(
        one ->
            table.row(
                one.id().toString(),
                Timestamps.format(one.createdAt()),
                FilterOptions.word(one.type()),
                state(one, now),
                one.content().text().map(TextTable::cut).orElse("")));
    workbench.output().table(table);
  }

  private static String state(Artifact made, Instant now) {
    if (made.isLive(now)) {
      return "live";
    }
    return made.supersededBy().map(id -> "superseded by " + id).orElse("expired");
  }
}
