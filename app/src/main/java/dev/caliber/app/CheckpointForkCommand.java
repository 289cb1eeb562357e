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
    header = "Start a new trajectory from a checkpoint of another one.",
    description =
        "The other trajectory is not changed and becomes the parent. No records are copied.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber checkpoint fork 01JD0000000000000000000000 --goal \"Try it by train\"")
final class CheckpointForkCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(paramLabel = "CHECKPOINT", description = "The checkpoint's id.")
  private String checkpoint = "";

  @Option(
      names = "--goal",
      paramLabel = "TEXT",
      required = true,
      description = "The goal of the new trajectory.")
  private String goal = "";

  CheckpointForkCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    Id from = OpenMemoryServices.parseCheckpointId(checkpoint);
    Trajectory fork =
        commandContext.askServerOrStore(
            serverClient ->
                serverClient.post(
                    "/checkpoints/%s/fork".formatted(from),
                    ServerClient.newInput().put("goal", goal),
                    Trajectory.class),
            () -> fork(from));
    commandContext.output().printResult(fork, "Trajectory " + fork.id());
    return ExitCode.OK.number();
  }

  private Trajectory fork(Id from) {
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, false)) {
      return context.guardian().fork(commandContext.space(), from, goal);
    }
  }
}
