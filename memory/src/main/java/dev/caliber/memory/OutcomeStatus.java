package dev.caliber.memory;

/** How a trajectory ended. */
public enum OutcomeStatus {
  SUCCESS,
  PARTIAL,
  FAILURE,
  /** Nobody ended it; clean-up did. */
  SYSTEM_ABORT;

  /** What this outcome does to the trajectory. */
  TrajectoryStatus.Event event() {
    return this == SUCCESS || this == PARTIAL
        ? TrajectoryStatus.Event.COMPLETE
        : TrajectoryStatus.Event.FAIL;
  }
}
