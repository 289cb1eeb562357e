package dev.caliber.memory.record;

import dev.caliber.kernel.Transitions;

/** Status of a trajectory. */
public enum TrajectoryStatus {
  ACTIVE,
  SUSPENDED,
  COMPLETED,
  FAILED;

  /** Transition of a trajectory. */
  public enum TrajectoryTransition {
    SUSPEND,
    RESUME,
    COMPLETE,
    FAIL
  }

  /** Life cycle. Repeated suspend or resume changes nothing; the end is final. */
  public static final Transitions<TrajectoryStatus, TrajectoryTransition> LIFE =
      Transitions.<TrajectoryStatus, TrajectoryTransition>from(ACTIVE)
          .on(ACTIVE, TrajectoryTransition.SUSPEND, SUSPENDED)
          .on(ACTIVE, TrajectoryTransition.RESUME, ACTIVE)
          .on(ACTIVE, TrajectoryTransition.COMPLETE, COMPLETED)
          .on(ACTIVE, TrajectoryTransition.FAIL, FAILED)
          .on(SUSPENDED, TrajectoryTransition.RESUME, ACTIVE)
          .on(SUSPENDED, TrajectoryTransition.SUSPEND, SUSPENDED)
          .on(SUSPENDED, TrajectoryTransition.FAIL, FAILED)
          .build();

  public boolean isTerminal() {
    return LIFE.terminal().contains(this);
  }

  public TrajectoryStatus next(TrajectoryTransition trajectoryTransition) {
    return LIFE.next("Trajectory", this, trajectoryTransition);
  }
}
