package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.pcp.TrajectoryState;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code caliber state}. */
@Command(
    name = "state",
    header = "Show the state of a trajectory: its goal, its scopes and its counts.",
    description =
        "For debugging. 'caliber turns' and 'caliber artifacts' show its content, 'caliber trace'"
            + " its events.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber state thread-7",
      "  caliber state thread-7 --json",
    })
final class StateCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  StateCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    TrajectoryState state = commandContext.askServerOrStore(this::askServer, this::readStore);
    commandContext.output().printResult(state, () -> print(state));
    return ExitCode.OK.number();
  }

  private TrajectoryState askServer(ServerClient serverClient) {
    return serverClient.get(
        "/trajectories/%s/state".formatted(trajectory.resolveId(serverClient)),
        TrajectoryState.class);
  }

  private TrajectoryState readStore() {
    SpaceId space = commandContext.space();
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, false)) {
      return context.guardian().trajectoryState(space, trajectory.resolveId(context, space));
    }
  }

  private void print(TrajectoryState state) {
    Trajectory task = state.trajectory();
    commandContext
        .terminal()
        .printLine(
            "Trajectory %s: %s since %s, last changed %s"
                .formatted(
                    task.id(),
                    FilterOptions.lowerCaseName(task.status()),
                    Timestamps.format(task.createdAt()),
                    Timestamps.format(task.updatedAt())));
    commandContext.terminal().printLine("Goal: " + TextTable.toCell(task.goal()));
    commandContext
        .terminal()
        .printLine(
            "Contains: %,d turns, %,d artifacts, %,d notes, %,d checkpoints"
                .formatted(
                    task.counters().turns(),
                    state.artifactCount(),
                    state.noteCount(),
                    state.checkpointCount()));
    TextTable table = TextTable.of("SCOPE", "NUMBER", "OPENED", "STATE");
    Optional<Id> active = state.activeScope().map(Scope::id);
    state
        .scopes()
        .forEach(
            scope ->
                table.addRow(
                    scope.id().toString(),
                    CommandOutput.formatNumber(scope.sequence()),
                    Timestamps.format(scope.openedAt()),
                    active.filter(scope.id()::equals).map(_ -> "active").orElse(endedText(scope))));
    commandContext.output().printTable(table);
  }

  private static String endedText(Scope scope) {
    if (scope.rolledBackAt().isPresent()) {
      return "rolled back";
    }
    return scope.closedAt().map(end -> "closed " + Timestamps.format(end)).orElse("open");
  }
}
