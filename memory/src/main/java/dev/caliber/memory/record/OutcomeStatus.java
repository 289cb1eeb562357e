package dev.caliber.memory.record;

/** Outcome of a trajectory. */
public enum OutcomeStatus {
  SUCCESS,
  PARTIAL,
  FAILURE,
  /** Ended by clean-up as an orphan. */
  SYSTEM_ABORT;

  /** Returns the transition of the trajectory for this outcome. */
  public TrajectoryStatus.TrajectoryTransition transition() {
    return this == SUCCESS || this == PARTIAL
        ? TrajectoryStatus.TrajectoryTransition.COMPLETE
        : TrajectoryStatus.TrajectoryTransition.FAIL;
  }
}
