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
    header = "How a trajectory stands: its goal, its scopes, and how much it holds.",
    description =
        "For whoever looks for a mistake. 'caliber turns' and 'caliber artifacts' show what is in"
            + " it, 'caliber trace' what happened to it.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber state thread-7",
      "  caliber state thread-7 --json",
    })
final class StateCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  StateCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    TrajectoryState state = workbench.ask(this::ask, this::read);
    workbench.output().result(state, () -> print(state));
    return ExitCode.OK.number();
  }

  private TrajectoryState ask(Remote remote) {
    return remote.get(
        "/trajectories/%s/state".formatted(trajectory.of(remote)), TrajectoryState.class);
  }

  private TrajectoryState read() {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, false)) {
      return context.guardian().state(space, trajectory.of(context, space));
    }
  }

  private void print(TrajectoryState state) {
    Trajectory task = state.trajectory();
    workbench
        .terminal()
        .line(
            "Trajectory %s: %s since %s, last changed %s"
                .formatted(
                    task.id(),
                    FilterOptions.word(task.status()),
                    Timestamps.format(task.createdAt()),
                    Timestamps.format(task.updatedAt())));
    workbench.terminal().line("Goal: " + TextTable.cut(task.goal()));
    workbench
        .terminal()
        .line(
            "Holds: %,d turns, %,d artifacts, %,d notes, %,d checkpoints"
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
                table.row(
                    scope.id().toString(),
                    Output.number(scope.sequence()),
                    Timestamps.format(scope.openedAt()),
                    active.filter(scope.id()::equals).map(_ -> "active").orElse(ended(scope))));
    workbench.output().table(table);
  }

  private static String ended(Scope scope) {
    if (scope.rolledBackAt().isPresent()) {
      return "rolled back";
    }
    return scope.closedAt().map(end -> "closed " + Timestamps.format(end)).orElse("open");
  }
}
