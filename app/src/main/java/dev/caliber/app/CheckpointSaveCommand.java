package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.Checkpoint;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code caliber checkpoint save}. */
@Command(
    name = "save",
    header = "Save a checkpoint of a trajectory, with the ledger of its window.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber checkpoint save thread-7")
final class CheckpointSaveCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  CheckpointSaveCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    Checkpoint made = commandContext.askServerOrStore(this::askServer, this::save);
    commandContext
        .output()
        .printResult(
            made,
            "Checkpoint %s: %,d turns, commit %,d%s"
                .formatted(
                    made.id(),
                    made.turns(),
                    made.sequence(),
                    made.ledger().orElse(false) ? "" : "; without a ledger"));
    return ExitCode.OK.number();
  }

  private Checkpoint askServer(ServerClient serverClient) {
    return serverClient.post(
        "/trajectories/%s/checkpoint".formatted(trajectory.resolveId(serverClient)),
        ServerClient.newInput(),
        Checkpoint.class);
  }

  private Checkpoint save() {
    SpaceId space = commandContext.space();
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, false)) {
      return context.guardian().saveCheckpoint(space, trajectory.resolveId(context, space));
    }
  }
}
