package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.Checkpoint;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber checkpoint list}. */
@Command(
    name = "list",
    header = "The checkpoints of a trajectory, newest first.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber checkpoint list thread-7")
final class CheckpointListCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(
      paramLabel = "TRAJECTORY",
      description = "The trajectory: its id, or the name of its session.")
  private String trajectory = "";

  CheckpointListCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, false)) {
      Id id = context.trajectory(space, trajectory);
      List<Checkpoint> found = context.memory().view(space, view -> view.checkpoints(id));
      workbench.output().results(found, () -> print(found));
    }
    return ExitCode.OK.number();
  }

  private void print(List<Checkpoint> found) {
    TextTable table = TextTable.of("CHECKPOINT", "MADE", "STATUS", "TURNS", "COMMIT");
    found.forEach(
        point ->
            table.row(
                point.id().toString(),
                Timestamps.format(point.createdAt()),
                point.status().name(),
                Output.number(point.turns()),
                Output.number(point.sequence())));
    workbench.output().table(table);
  }
}
