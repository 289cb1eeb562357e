package dev.caliber.store;

import dev.caliber.kernel.SpaceId;

/** One attempt at a job, as its handler sees it. */
public interface JobRun {

  SpaceId space();

  Job job();

  /**
   * Asks for another lease from now on; false if somebody else has taken the job over, or if the
   * runner is being closed and waits for this attempt to end.
   */
  boolean renew();
}
