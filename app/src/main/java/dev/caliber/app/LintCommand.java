package dev.caliber.app;

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
    try (StoreOperations operations =
        commandContext.operations(meaning ? StoreUse.WITH_EMBEDDING_MODEL : StoreUse.EXISTING)) {
      List<Issue> issues = lint(operations).issues();
      commandContext
          .output()
          .printResults(issues, () -> IssuePrinter.print(issues, commandContext.terminal()));
      return (IssuePrinter.hasNoErrors(issues) ? ExitCode.OK : ExitCode.FAILED).number();
    }
  }

  private ValidationReport lint(StoreOperations operations) {
    return artifact
        .map(
            id ->
                operations.call(
                    "lint_artifact",
                    OperationInput.of("id", RecordIdParser.parseArtifact(id)),
                    ValidationReport.class))
        .orElseGet(
            () ->
                operations.call(
                    "lint_trajectory",
                    OperationInput.of(
                        "trajectory", operations.trajectoryId(trajectory.orElseThrow())),
                    ValidationReport.class));
  }
}
