package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Trajectory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber checkpoint fork}. */
@Command(
    name = "fork",
    header = "Start a trajectory that goes on from a checkpoint of another one.",
    description = "The other one stays as it is and becomes the parent. Nothing is copied.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber checkpoint fork 01JD0000000000000000000000 --goal \"Try it by train\"")
final class CheckpointForkCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "CHECKPOINT", description = "The checkpoint's id.")
  private String checkpoint = "";

  @Option(
      names = "--goal",
      paramLabel = "TEXT",
      required = true,
      description = "What the new trajectory is for.")
  private String goal = "";

  CheckpointForkCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Id from = OpenContext.checkpoint(checkpoint);
    Trajectory fork =
        workbench.ask(
            remote ->
                remote.post(
                    "/checkpoints/%s/fork".formatted(from),
                    Remote.input().put("goal", goal),
                    Trajectory.class),
            () -> fork(from));
    workbench.output().result(fork, "Trajectory " + fork.id());
    return ExitCode.OK.number();
  }

  private Trajectory fork(Id from) {
    try (OpenContext context = OpenContext.of(workbench, false)) {
      return context.guardian().fork(workbench.space(), from, goal);
    }
  }
}
