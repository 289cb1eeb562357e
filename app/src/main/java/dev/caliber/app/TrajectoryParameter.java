package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import picocli.CommandLine.Parameters;

/** Parameter that names the command's trajectory. */
final class TrajectoryParameter {
  @Parameters(
      paramLabel = "TRAJECTORY",
      description = "The trajectory: its id, or the name of its session.")
  private String name = "";

  Id resolveId(ServerClient serverClient) {
    return serverClient.trajectoryId(name);
  }

  Id resolveId(OpenMemoryServices context, SpaceId space) {
    return context.trajectoryId(space, name);
  }
}
