package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;

/** Command that suspends or resumes a trajectory. {@link EndTrajectory} ends one. */
public record SuspendOrResumeTrajectory(Id trajectory, boolean active)
    implements Command<Trajectory> {

  public static SuspendOrResumeTrajectory suspend(Id trajectory) {
    return new SuspendOrResumeTrajectory(trajectory, false);
  }

  public static SuspendOrResumeTrajectory resume(Id trajectory) {
    return new SuspendOrResumeTrajectory(trajectory, true);
  }

  public TrajectoryStatus.TrajectoryTransition transition() {
    return active
        ? TrajectoryStatus.TrajectoryTransition.RESUME
        : TrajectoryStatus.TrajectoryTransition.SUSPEND;
  }
}
