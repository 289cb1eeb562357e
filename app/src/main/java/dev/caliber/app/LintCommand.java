package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.pcp.Issue;
import dev.caliber.memory.pcp.Report;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code caliber lint}. */
@Command(
    name = "lint",
    header = "Find artifacts that are too large, doubled or malformed.",
    description = {
      "Looks at every live artifact of a trajectory: its size, whether another one says the same,"
          + " whether it parses, and its words if a vocabulary is enforced (pcp.lint). Exit code 1"
          + " if there is an error; warnings alone leave it 0."
    },
    footerHeading = "%nExamples:%n",
    footer = "  caliber lint thread-7")
final class LintCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  @Option(
      names = "--meaning",
      description = "Find near duplicates by their meaning, with the embedding model.")
  private boolean meaning;

  LintCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    List<Issue> issues = workbench.ask(this::ask, this::lint);
    workbench.output().results(issues, () -> Issues.print(issues, workbench.terminal()));
    return (Issues.areHarmless(issues) ? ExitCode.OK : ExitCode.FAILED).number();
  }

  /** A server has its models open, and asks them in any case. */
  private List<Issue> ask(Remote remote) {
    String path = "/trajectories/%s/lint".formatted(trajectory.of(remote));
    return remote.get(path, Report.class).issues();
  }

  private List<Issue> lint() {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, meaning)) {
      Id id = trajectory.of(context, space);
      return context.guardian().lintTrajectory(space, id).issues();
    }
  }
}
