package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;

/** Suspends a trajectory or resumes it. To end one is {@link EndTrajectory}. */
public record MoveTrajectory(Id trajectory, boolean active) implements Command<Trajectory> {

  public static MoveTrajectory suspend(Id trajectory) {
    return new MoveTrajectory(trajectory, false);
  }

  public static MoveTrajectory resume(Id trajectory) {
    return new MoveTrajectory(trajectory, true);
  }

  public TrajectoryStatus.Event event() {
    return active ? TrajectoryStatus.Event.RESUME : TrajectoryStatus.Event.SUSPEND;
  }
}
