package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.pcp.ContextIntegrity;
import dev.caliber.memory.pcp.Issue;
import dev.caliber.memory.pcp.ValidationReport;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber lint}. */
@Command(
    name = "lint",
    header = "Find artifacts that are too large, duplicated or malformed.",
    description = {
      "Checks every live artifact of a trajectory: its size, duplicates, whether it parses, and its"
          + " words if a vocabulary is enforced (pcp.lint). Exit code 1 if there is an error;"
          + " warnings alone leave it 0.",
      "With --artifact it checks only that artifact, and needs no trajectory."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber lint thread-7",
      "  caliber lint --artifact 01JD5T6B9M8Z0V3QK7W2X4Y5RA",
    })
final class LintCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(
      arity = "0..1",
      paramLabel = "TRAJECTORY",
      description = "The trajectory: its id, or the name of its session.")
  private Optional<String> trajectory = Optional.empty();

  @Option(names = "--artifact", paramLabel = "ID", description = "Only this artifact.")
  private Optional<String> artifact = Optional.empty();

  @Option(
      names = "--semantic",
      description = "Find near duplicates by their meaning, with the embedding model.")
  private boolean meaning;

  LintCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    if (trajectory.isPresent() == artifact.isPresent()) {
      throw AppException.usage(
          "Expected either a trajectory or --artifact, found both or neither",
          "'caliber artifacts TRAJECTORY' lists artifacts with their ids.");
    }
    List<Issue> issues = commandContext.askServerOrStore(this::askServer, this::lint);
    commandContext
        .output()
        .printResults(issues, () -> IssuePrinter.print(issues, commandContext.terminal()));
    return (IssuePrinter.hasNoErrors(issues) ? ExitCode.OK : ExitCode.FAILED).number();
  }

  /** Asks the server, which has its models loaded and always compares by meaning. */
  private List<Issue> askServer(ServerClient serverClient) {
    String path =
        artifact
            .map(id -> "/artifacts/" + OpenMemoryServices.parseArtifactId(id))
            .orElseGet(
                () -> "/trajectories/" + serverClient.trajectoryId(trajectory.orElseThrow()));
    return serverClient.get(path + "/lint", ValidationReport.class).issues();
  }

  private List<Issue> lint() {
    SpaceId space = commandContext.space();
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, meaning)) {
      ContextIntegrity contextIntegrity = context.guardian();
      return artifact
          .map(id -> contextIntegrity.lintArtifact(space, OpenMemoryServices.parseArtifactId(id)))
          .orElseGet(() -> contextIntegrity.lintTrajectory(space, trajectoryId(context, space)))
          .issues();
    }
  }

  private Id trajectoryId(OpenMemoryServices context, SpaceId space) {
    return context.trajectoryId(space, trajectory.orElseThrow());
  }
}
