package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.record.Turn;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code caliber turns}. */
@Command(
    name = "turns",
    header = "List the turns of a trajectory, oldest first.",
    description =
        "With --include rolled_back it also lists turns that a return to a checkpoint has rolled"
            + " back.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber turns thread-7",
      "  caliber turns thread-7 --include rolled_back --json",
    })
final class TurnsCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  /** Turns that are hidden by default. */
  private enum HiddenTurnKind {
    ROLLED_BACK
  }

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  @Option(
      names = "--include",
      paramLabel = "KIND",
      description = "Also list turns that are not live: rolled_back.")
  private List<HiddenTurnKind> include = List.of();

  TurnsCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    List<Turn> said = commandContext.askServerOrStore(this::askServer, this::readStore);
    commandContext.output().printResults(said, () -> print(said));
    return ExitCode.OK.number();
  }

  private List<Turn> askServer(ServerClient serverClient) {
    return serverClient.list(
        "/trajectories/%s/turns%s"
            .formatted(
                trajectory.resolveId(serverClient),
                include.isEmpty() ? "" : "?include=rolled_back"),
        Turn.class);
  }

  private List<Turn> readStore() {
    SpaceId space = commandContext.space();
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, false)) {
      Id id = trajectory.resolveId(context, space);
      return context
          .memory()
          .view(space, view -> view.turns(id, 0, view.trajectory(id).counters().turns()))
          .stream()
          .filter(turn -> !include.isEmpty() || turn.rolledBackAt().isEmpty())
          .toList();
    }
  }

  private void print(List<Turn> said) {
    TextTable table = TextTable.of("TURN", "TIME", "ROLE", "TEXT", "ROLLED BACK");
    said.forEach(
        turn ->
            table.addRow(
                turn.id().toString(),
                Timestamps.format(turn.createdAt()),
                turn.role().name().toLowerCase(Locale.ROOT),
                TextTable.toCell(turn.searchableText()),
                turn.rolledBackAt().map(Timestamps::format).orElse("")));
    commandContext.output().printTable(table);
  }
}
