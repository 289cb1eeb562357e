package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.pcp.ContextIntegrity;
import dev.caliber.memory.pcp.ContradictionResolution;
import dev.caliber.memory.pcp.ValidationReport;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

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
    ValidateOutput validateOutput =
        commandContext.askServerOrStore(this::askServer, this::validateInStore);
    commandContext
        .output()
        .printResult(
            validateOutput, () -> print(validateOutput.report(), validateOutput.resolved()));
    return (validateOutput.report().valid() ? ExitCode.OK : ExitCode.FAILED).number();
  }

  private ValidateOutput askServer(ServerClient serverClient) {
    String path = "/trajectories/" + trajectory.resolveId(serverClient);
    Optional<Id> only = window.map(OpenMemoryServices::parseWindowId);
    if (resolve) {
      ObjectNode input = ServerClient.newInput();
      ServerClient.putIfPresent(input, "window", only);
      return serverClient.post(path + "/resolve-contradictions", input, ValidateOutput.class);
    }
    String query = only.map(id -> "?window=" + id).orElse("");
    return new ValidateOutput(
        serverClient.get(path + "/validation" + query, ValidationReport.class), List.of());
  }

  private ValidateOutput validateInStore() {
    SpaceId space = commandContext.space();
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, meaning)) {
      ContextIntegrity contextIntegrity = context.guardian();
      Id wanted = trajectory.resolveId(context, space);
      ValidationReport validationReport =
          window
              .map(OpenMemoryServices::parseWindowId)
              .map(
                  id ->
                      contextIntegrity.validate(
                          space, context.assembler().window(space, wanted, id)))
              .orElseGet(() -> contextIntegrity.validate(space, wanted));
      return new ValidateOutput(
          validationReport,
          resolve ? contextIntegrity.resolveContradictions(space, validationReport) : List.of());
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
