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
    header = "What was said in a trajectory, in its order.",
    description =
        "With --include rolled_back also what a return to a checkpoint has taken away: it stays"
            + " readable.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber turns thread-7",
      "  caliber turns thread-7 --include rolled_back --json",
    })
final class TurnsCommand implements Callable<Integer> {
  private final Workbench workbench;

  /** What else can be shown. */
  private enum Kind {
    ROLLED_BACK
  }

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  @Option(
      names = "--include",
      paramLabel = "KIND",
      description = "Also show what is not live: rolled_back.")
  private List<Kind> include = List.of();

  TurnsCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    List<Turn> said = workbench.ask(this::ask, this::read);
    workbench.output().results(said, () -> print(said));
    return ExitCode.OK.number();
  }

  private List<Turn> ask(Remote remote) {
    return remote.list(
        "/trajectories/%s/turns%s"
            .formatted(trajectory.of(remote), include.isEmpty() ? "" : "?include=rolled_back"),
        Turn.class);
  }

  private List<Turn> read() {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, false)) {
      Id id = trajectory.of(context, space);
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
            table.row(
                turn.id().toString(),
                Timestamps.format(turn.createdAt()),
                turn.role().name().toLowerCase(Locale.ROOT),
                TextTable.cut(turn.words()),
                turn.rolledBackAt().map(Timestamps::format).orElse("")));
    workbench.output().table(table);
  }
}
