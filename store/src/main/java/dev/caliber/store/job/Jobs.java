package dev.caliber.store.job;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Clock;
import java.util.Optional;

/**
 * Deferred work: cron, expiry, redelivery, deadlines, clean-up. A job is claimed by a lease in a
 * short transaction, runs without holding anything, and ends in the same commit as its effect. If a
 * runner dies, another one takes its job over when the lease ends.
 */
public interface Jobs extends AutoCloseable {

  /** Table of jobs, which every store has. */
  Table<Job> TABLE =
      Table.of("job", "Work for later, claimed by one runner at a time.", Job.class, Job::id)
          .text("kind", Job::kind)
          .text("state", job -> job.state().name())
          .instant("claimable_at", job -> job.state() == JobState.DEAD ? null : job.due())
          .integer("attempts", Job::attempts)
          .text("deduplication", job -> job.deduplication().orElse(null))
          .text("last_error", job -> job.lastError().orElse(null))
          .index("kind", "claimable_at")
          .index("state", "kind")
          .unique("kind", "deduplication")
          .importedOnlyIfNamed();

  /** Returns a runner for this process. */
  static Jobs of(RecordStore store, StoreConfig.JobSettings rules, Clock clock) {
    return new JobRunner(store, rules, clock);
  }

  /**
   * Adds a job and returns its id. If a job with its deduplication text exists, returns that one's
   * id.
   */
  static Id schedule(Transaction transaction, JobRequest request) {
    if (request.deduplication().isPresent()) {
      Optional<Job> same =
          transaction
              .scan(
                  Query.over(TABLE, "kind", "deduplication")
                      .equal(request.kind(), request.deduplication().get()),
                  1)
              .records()
              .stream()
              .findFirst();
      if (same.isPresent()) {
        return same.get().id();
      }
    }
    Job job = Job.ready(transaction.newId(), request, transaction.now());
    transaction.insert(TABLE, job);
    return job.id();
  }

  /** Makes a dead job ready again, with its full number of attempts. */
  static void revive(Transaction transaction, Id job) {
    transaction.update(TABLE, job, dead -> dead.asReady(transaction.now()));
  }

  /** Sets the handler of a kind. Jobs of kinds without a handler here are left to other runners. */
  void registerHandler(String kind, JobHandler handler);

  /** Runs all due jobs of this space on this thread; returns the number of attempts. */
  int runDue(SpaceId space);

  /**
   * Returns the number of jobs without a handler here that are due for longer than {@code
   * store.jobs.backoff-limit}. They wait: another version, or a process with other modules, may
   * have a handler.
   */
  long countUnhandled(SpaceId space);

  /** Runs due jobs in the background until closed. */
  void start();

  /** Lets running jobs end, and claims no further ones. */
  @Override
  void close();
}
