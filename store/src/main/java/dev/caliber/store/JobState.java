package dev.caliber.store;

import dev.caliber.kernel.Transitions;

/** Life cycle of a job. A finished job is deleted; a dead one is kept for the operator. */
public enum JobState {
  READY,
  RUNNING,
  DEAD,
  DONE;

  /** Event in the life of a job. */
  public enum Event {
    /** A runner claims the job, or takes it over after the lease of an earlier runner has ended. */
    CLAIM,
    FINISH,
    /** An attempt failed, and another one will follow. */
    FAIL,
    /** The last allowed attempt failed, or no attempt is left. */
    GIVE_UP,
    /** An operator wants a dead job retried. */
    REVIVE
  }

  /** All transitions. */
  public static final Transitions<JobState, Event> TRANSITIONS =
      Transitions.<JobState, Event>from(READY)
          .on(READY, Event.CLAIM, RUNNING)
          .on(READY, Event.GIVE_UP, DEAD)
          .on(RUNNING, Event.CLAIM, RUNNING)
          .on(RUNNING, Event.FINISH, DONE)
          .on(RUNNING, Event.FAIL, READY)
          .on(RUNNING, Event.GIVE_UP, DEAD)
          .on(DEAD, Event.REVIVE, READY)
          .build();

  JobState after(Event event) {
    return TRANSITIONS.next("job", this, event);
  }
}
