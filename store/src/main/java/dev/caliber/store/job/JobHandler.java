package dev.caliber.store.job;

/**
 * Handler of one kind of job, called outside any transaction. The effect that it returns commits
 * together with the job's end; an exception counts as a failed attempt.
 */
@FunctionalInterface
public interface JobHandler {
  JobEffect run(JobRun run);
}
