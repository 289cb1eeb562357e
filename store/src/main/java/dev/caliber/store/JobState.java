package dev.caliber.store;

import dev.caliber.kernel.Transitions;

/** The life of a job. A job that is done is removed; a dead one stays to be looked at. */
public enum JobState {
  READY,
  RUNNING,
  DEAD,
  DONE;

  /** What happens to a job. */
  public enum Event {
    /** A runner takes it, or takes it over after the lease of the one before has run out. */
    CLAIM,
    FINISH,
    /** An attempt failed, and there will be another. */
    FAIL,
    /** The last attempt failed, or no attempt is left. */
    GIVE_UP,
    /** Somebody wants a dead job tried again. */
    REVIVE
  }

  /** Every transition there is. */
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
