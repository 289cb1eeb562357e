package dev.caliber.app;

import dev.caliber.memory.pcp.ContradictionResolution;
import dev.caliber.memory.pcp.ValidationReport;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code caliber validate}. */
@Command(
    name = "validate",
    header = "Find problems in the records that a context is based on.",
    description = {
      "Checks the live artifacts and the notes of a trajectory, or with --window the records in"
          + " that window of it: contradictions, stale or expired records, records with low"
          + " confidence, facts without a source. Exit code 1 if there is an error; warnings alone"
          + " leave it 0."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber validate thread-7",
      "  caliber validate thread-7 --window 01JD0000000000000000000000 --json",
    })
final class ValidateCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  @Option(
      names = "--window",
      paramLabel = "WINDOW",
      description = "Only records in this window of the trajectory.")
  private Optional<String> window = Optional.empty();

  @Option(
      names = "--semantic",
      description = "Also compare facts by their meaning, with the embedding model.")
  private boolean meaning;

  @Option(
      names = "--resolve",
      description =
          "Resolve contradictions: keep one of two contradicting records, as pcp.grounding says,"
              + " and end the other.")
  private boolean resolve;

  ValidateCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record ValidateOutput(ValidationReport report, List<ContradictionResolution> resolved) {}

  @Override
  public Integer call() {
    OperationInput input =
        OperationInput.empty().with("window", window.map(RecordIdParser::parseWindow));
    try (StoreOperations operations =
        commandContext.operations(meaning ? StoreUse.WITH_EMBEDDING_MODEL : StoreUse.EXISTING)) {
      input.with("trajectory", trajectory.resolveId(operations));
      ValidateOutput output =
          resolve
              ? operations.call("resolve_contradictions", input, ValidateOutput.class)
              : new ValidateOutput(
                  operations.call("validate_trajectory", input, ValidationReport.class), List.of());
      commandContext.output().printResult(output, () -> print(output.report(), output.resolved()));
      return (output.report().valid() ? ExitCode.OK : ExitCode.FAILED).number();
    }
  }

  private void print(ValidationReport validationReport, List<ContradictionResolution> resolved) {
    IssuePrinter.print(validationReport.issues(), commandContext.terminal());
    resolved.forEach(
        one ->
            commandContext
                .terminal()
                .printNote("Kept %s, ended %s.".formatted(one.kept().id(), one.ended().id())));
  }
}
