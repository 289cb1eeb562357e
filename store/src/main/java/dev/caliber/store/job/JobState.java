package dev.caliber.store.job;

import dev.caliber.kernel.Transitions;

/** Life cycle of a job. A finished job is deleted; a dead one is kept for the operator. */
public enum JobState {
  READY,
  RUNNING,
  DEAD,
  DONE;

  /** Event in the life of a job. */
  public enum JobTransition {
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
  public static final Transitions<JobState, JobTransition> TRANSITIONS =
      Transitions.<JobState, JobTransition>from(READY)
          .on(READY, JobTransition.CLAIM, RUNNING)
          .on(READY, JobTransition.GIVE_UP, DEAD)
          .on(RUNNING, JobTransition.CLAIM, RUNNING)
          .on(RUNNING, JobTransition.FINISH, DONE)
          .on(RUNNING, JobTransition.FAIL, READY)
          .on(RUNNING, JobTransition.GIVE_UP, DEAD)
          .on(DEAD, JobTransition.REVIVE, READY)
          .build();

  JobState next(JobTransition jobTransition) {
    return TRANSITIONS.next("job", this, jobTransition);
  }
}
