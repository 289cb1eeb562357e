package dev.caliber.store;

/**
 * Does the work of one kind of job, outside any transaction. What it returns commits together with
 * the job's end; what it throws counts as a failed attempt.
 */
@FunctionalInterface
public interface JobHandler {
  JobEffect run(JobRun run);
}
