package dev.caliber.memory.record;

/** How a trajectory ended. */
public enum OutcomeStatus {
  SUCCESS,
  PARTIAL,
  FAILURE,
  /** Nobody ended it; clean-up did. */
  SYSTEM_ABORT;

  /** What this outcome does to the trajectory. */
  public TrajectoryStatus.Event event() {
    return this == SUCCESS || this == PARTIAL
        ? TrajectoryStatus.Event.COMPLETE
        : TrajectoryStatus.Event.FAIL;
  }
}
