package dev.caliber.app.shell;

import dev.caliber.kernel.Id;
import picocli.CommandLine.Parameters;

/** Parameter that names the command's trajectory. */
final class TrajectoryParameter {
  @Parameters(
      paramLabel = "TRAJECTORY",
      description = "The trajectory: its id, or the name of its session.")
  private String name = "";

  Id resolveId(StoreOperations operations) {
    return operations.trajectoryId(name);
  }
}
