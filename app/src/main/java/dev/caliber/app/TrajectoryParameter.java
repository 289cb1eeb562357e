package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import picocli.CommandLine.Parameters;

/** The trajectory that a command is about. */
final class TrajectoryParameter {
  @Parameters(
      paramLabel = "TRAJECTORY",
      description = "The trajectory: its id, or the name of its session.")
  private String name = "";

  Id of(Remote remote) {
    return remote.trajectory(name);
  }

  Id of(OpenContext context, SpaceId space) {
    return context.trajectory(space, name);
  }
}
