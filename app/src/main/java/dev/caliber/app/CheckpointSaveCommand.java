package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.Checkpoint;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code caliber checkpoint save}. */
@Command(
    name = "save",
    header = "Save a point to return to, with the ledger of its window.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber checkpoint save thread-7")
final class CheckpointSaveCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  CheckpointSaveCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Checkpoint made = workbench.ask(this::ask, this::save);
    workbench
        .output()
        .result(
            made,
            "Checkpoint %s: %,d turns, commit %,d%s"
                .formatted(
                    made.id(),
                    made.turns(),
                    made.sequence(),
                    made.ledger().orElse(false) ? "" : "; without a ledger"));
    return ExitCode.OK.number();
  }

  private Checkpoint ask(Remote remote) {
    return remote.post(
        "/trajectories/%s/checkpoint".formatted(trajectory.of(remote)),
        Remote.input(),
        Checkpoint.class);
  }

  private Checkpoint save() {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, false)) {
      return context.guardian().checkpoint(space, trajectory.of(context, space));
    }
  }
}
