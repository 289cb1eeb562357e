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
    header = "List the checkpoints of a trajectory, newest first.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber checkpoint list thread-7")
final class CheckpointListCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  CheckpointListCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    List<Checkpoint> found = commandContext.askServerOrStore(this::askServer, this::readStore);
    commandContext.output().printResults(found, () -> print(found));
    return ExitCode.OK.number();
  }

  private List<Checkpoint> askServer(ServerClient serverClient) {
    return serverClient.list(
        "/trajectories/%s/checkpoints".formatted(trajectory.resolveId(serverClient)),
        Checkpoint.class);
  }

  private List<Checkpoint> readStore() {
    SpaceId space = commandContext.space();
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, false)) {
      Id id = trajectory.resolveId(context, space);
      List<Checkpoint> found = context.memory().view(space, view -> view.checkpoints(id));
      return context.guardian().withLedgers(space, found);
    }
  }

  private void print(List<Checkpoint> found) {
    TextTable table = TextTable.of("CHECKPOINT", "CREATED", "STATUS", "TURNS", "COMMIT", "LEDGER");
    found.forEach(
        point ->
            table.addRow(
                point.id().toString(),
                Timestamps.format(point.createdAt()),
                point.status().name(),
                CommandOutput.formatNumber(point.turns()),
                CommandOutput.formatNumber(point.sequence()),
                point.ledger().orElse(false) ? "yes" : "no"));
    commandContext.output().printTable(table);
  }
}
