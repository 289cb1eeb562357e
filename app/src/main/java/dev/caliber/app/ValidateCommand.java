package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.pcp.Guardian;
import dev.caliber.memory.pcp.Report;
import dev.caliber.memory.pcp.Resolution;
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
    header = "Find what is wrong with what a context stands on.",
    description = {
      "Looks at the live artifacts and the notes of a trajectory, or with --window at what is in that"
          + " window of it: contradictions, what is stale, expired or hardly believed, facts without a"
          + " source. Exit code 1 if there is an error; warnings alone leave it 0."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber validate thread-7",
      "  caliber validate thread-7 --window 01JD0000000000000000000000 --json",
    })
final class ValidateCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  @Option(
      names = "--window",
      paramLabel = "WINDOW",
      description = "Only what is in this window of the trajectory.")
  private Optional<String> window = Optional.empty();

  @Option(
      names = "--meaning",
      description = "Also compare facts by their meaning, with the embedding model.")
  private boolean meaning;

  @Option(
      names = "--resolve",
      description = "Let one of two contradicting records stay, as pcp.grounding says.")
  private boolean resolve;

  ValidateCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Told(Report report, List<Resolution> resolved) {}

  @Override
  public Integer call() {
    Told told = workbench.ask(this::ask, this::look);
    workbench.output().result(told, () -> print(told.report(), told.resolved()));
    return (told.report().valid() ? ExitCode.OK : ExitCode.FAILED).number();
  }

  private Told ask(Remote remote) {
    String path = "/trajectories/" + trajectory.of(remote);
    Optional<Id> only = window.map(OpenContext::window);
    if (resolve) {
      ObjectNode input = Remote.input();
      Remote.put(input, "window", only);
      return remote.post(path + "/resolve", input, Told.class);
    }
    String query = only.map(id -> "?window=" + id).orElse("");
    return new Told(remote.get(path + "/validation" + query, Report.class), List.of());
  }

  private Told look() {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, meaning)) {
      Guardian guardian = context.guardian();
      Id wanted = trajectory.of(context, space);
      Report report =
          window
              .map(OpenContext::window)
              .map(id -> guardian.validate(space, context.assembler().window(space, wanted, id)))
              .orElseGet(() -> guardian.validate(space, wanted));
      return new Told(report, resolve ? guardian.resolve(space, report) : List.of());
    }
  }

  private void print(Report report, List<Resolution> resolved) {
    Issues.print(report.issues(), workbench.terminal());
    resolved.forEach(
        one ->
            workbench
                .terminal()
                .note("%s stays, %s has ended.".formatted(one.kept().id(), one.ended().id())));
  }
}
