package dev.caliber.store.job;

import dev.caliber.kernel.SpaceId;

/** One attempt at a job, as its handler sees it. */
public interface JobRun {

  SpaceId space();

  Job job();

  /**
   * Renews the lease from now on. Returns false if another runner has taken the job over, or if
   * this runner is being closed and waits for the attempt to end.
   */
  boolean renewLease();
}
