package dev.caliber.memory.record;

import dev.caliber.kernel.Transitions;

/** Where a trajectory is in its life. */
public enum TrajectoryStatus {
  ACTIVE,
  SUSPENDED,
  COMPLETED,
  FAILED;

  /** What can happen to a trajectory. */
  public enum Event {
    SUSPEND,
    RESUME,
    COMPLETE,
    FAIL
  }

  /**
   * The whole life cycle. Suspending what is suspended and resuming what is active change nothing;
   * a trajectory that has ended stays so.
   */
  public static final Transitions<TrajectoryStatus, Event> LIFE =
      Transitions.<TrajectoryStatus, Event>from(ACTIVE)
          .on(ACTIVE, Event.SUSPEND, SUSPENDED)
          .on(ACTIVE, Event.RESUME, ACTIVE)
          .on(ACTIVE, Event.COMPLETE, COMPLETED)
          .on(ACTIVE, Event.FAIL, FAILED)
          .on(SUSPENDED, Event.RESUME, ACTIVE)
          .on(SUSPENDED, Event.SUSPEND, SUSPENDED)
          .on(SUSPENDED, Event.FAIL, FAILED)
          .build();

  public boolean isTerminal() {
    return LIFE.terminal().contains(this);
  }

  public TrajectoryStatus after(Event event) {
    return LIFE.next("Trajectory", this, event);
  }
}
