package dev.caliber.memory.record;

import dev.caliber.kernel.Transitions;

/** State of a policy run. */
public enum PolicyRunState {
  PENDING,
  DONE;

  /** Transition of a policy run. */
  public enum PolicyRunTransition {
    STEP,
    FAIL,
    FINISH
  }

  /** Life cycle. A failed run is retried from the failed step. */
  public static final Transitions<PolicyRunState, PolicyRunTransition> LIFE =
      Transitions.<PolicyRunState, PolicyRunTransition>from(PENDING)
          .on(PENDING, PolicyRunTransition.STEP, PENDING)
          .on(PENDING, PolicyRunTransition.FAIL, PENDING)
          .on(PENDING, PolicyRunTransition.FINISH, DONE)
          .build();
}
