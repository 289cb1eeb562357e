package dev.caliber.memory.record;

import dev.caliber.kernel.Transitions;

/** How far the run of a policy is. */
public enum RunState {
  PENDING,
  DONE;

  /** What can happen to a run. */
  public enum Event {
    STEP,
    FAIL,
    FINISH
  }

  /** A run that fails is tried again from the step that failed. */
  public static final Transitions<RunState, Event> LIFE =
      Transitions.<RunState, Event>from(PENDING)
          .on(PENDING, Event.STEP, PENDING)
          .on(PENDING, Event.FAIL, PENDING)
          .on(PENDING, Event.FINISH, DONE)
          .build();
}
