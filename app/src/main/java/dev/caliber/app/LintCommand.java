package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.pcp.Guardian;
import dev.caliber.memory.pcp.Issue;
import dev.caliber.memory.pcp.Report;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber lint}. */
@Command(
    name = "lint",
    header = "Find artifacts that are too large, doubled or malformed.",
    description = {
      "Looks at every live artifact of a trajectory: its size, whether another one says the same,"
          + " whether it parses, and its words if a vocabulary is enforced (pcp.lint). Exit code 1"
          + " if there is an error; warnings alone leave it 0.",
      "With --artifact it looks at that one alone, and needs no trajectory."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber lint thread-7",
      "  caliber lint --artifact 01JD5T6B9M8Z0V3QK7W2X4Y5RA",
    })
final class LintCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(
      arity = "0..1",
      paramLabel = "TRAJECTORY",
      description = "The trajectory: its id, or the name of its session.")
  private Optional<String> trajectory = Optional.empty();

  @Option(names = "--artifact", paramLabel = "ID", description = "Only this artifact.")
  private Optional<String> artifact = Optional.empty();

  @Option(
      names = "--meaning",
      description = "Find near duplicates by their meaning, with the embedding model.")
  private boolean meaning;

  LintCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    if (trajectory.isPresent() == artifact.isPresent()) {
      throw AppException.usage(
          "Wanted a trajectory or --artifact, found both or neither",
          "'caliber artifacts TRAJECTORY' lists artifacts with their ids.");
    }
    List<Issue> issues = workbench.ask(this::ask, this::lint);
    workbench.output().results(issues, () -> Issues.print(issues, workbench.terminal()));
    return (Issues.areHarmless(issues) ? ExitCode.OK : ExitCode.FAILED).number();
  }

  /** A server has its models open, and asks them in any case. */
  private List<Issue> ask(Remote remote) {
    String path =
        artifact
            .map(id -> "/artifacts/" + OpenContext.artifact(id))
            .orElseGet(() -> "/trajectories/" + remote.trajectory(trajectory.orElseThrow()));
    return remote.get(path + "/lint", Report.class).issues();
  }

  private List<Issue> lint() {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, meaning)) {
      Guardian guardian = context.guardian();
      return artifact
          .map(id -> guardian.lint(space, OpenContext.artifact(id)))
          .orElseGet(() -> guardian.lintTrajectory(space, named(context, space)))
          .issues();
    }
  }

  private Id named(OpenContext context, SpaceId space) {
    return context.trajectory(space, trajectory.orElseThrow());
  }
}
