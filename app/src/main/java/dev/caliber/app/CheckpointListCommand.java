package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.record.Checkpoint;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code caliber checkpoint list}. */
@Command(
    name = "list",
    header = "The checkpoints of a trajectory, newest first.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber checkpoint list thread-7")
final class CheckpointListCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  CheckpointListCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    List<Checkpoint> found = workbench.ask(this::ask, this::read);
    workbench.output().results(found, () -> print(found));
    return ExitCode.OK.number();
  }

  private List<Checkpoint> ask(Remote remote) {
    return remote.list(
        "/trajectories/%s/checkpoints".formatted(trajectory.of(remote)), Checkpoint.class);
  }

  private List<Checkpoint> read() {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, false)) {
      Id id = trajectory.of(context, space);
      List<Checkpoint> found = context.memory().view(space, view -> view.checkpoints(id));
      return context.guardian().withLedgers(space, found);
    }
  }

  private void print(List<Checkpoint> found) {
    TextTable table = TextTable.of("CHECKPOINT", "MADE", "STATUS", "TURNS", "COMMIT", "LEDGER");
    found.forEach(
        point ->
            table.row(
                point.id().toString(),
                Timestamps.format(point.createdAt()),
                point.status().name(),
                Output.number(point.turns()),
                Output.number(point.sequence()),
                point.ledger().orElse(false) ? "yes" : "no"));
    workbench.output().table(table);
  }
}
