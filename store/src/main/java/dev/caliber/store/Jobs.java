package dev.caliber.store;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import java.time.Clock;
import java.util.Optional;

/**
 * Work for later: cron, expiry, redelivery, deadlines, clean-up. A job is claimed by a lease in a
 * short transaction, runs without holding anything, and ends in the same commit as its effect; a
 * runner that dies is taken over when its lease ends.
 */
public interface Jobs extends AutoCloseable {

  /** Every store has this table. */
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
          .importedByName();

  /** One runner for this process. */
  static Jobs of(RecordStore store, StoreConfig.JobRules rules, Clock clock) {
    return new JobRunner(store, rules, clock);
  }

  /**
   * Adds a job, unless one with its deduplication text is there: then that one's id is returned.
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

  /** Makes a dead job ready again, with all its attempts before it. */
  static void revive(Transaction transaction, Id job) {
    transaction.update(TABLE, job, dead -> dead.revived(transaction.now()));
  }

  /** Says who does the jobs of a kind; jobs of other kinds are left to other runners. */
  void handle(String kind, JobHandler handler);

  /** Runs whatever is due in this space, here and now; returns how many attempts were made. */
  int runDue(SpaceId space);

  /**
   * How many jobs are due for longer than {@code store.jobs.backoff-limit} and of a kind that
   * nobody handles here. They wait: another version may know them, or a process with other parts.
   */
  long countUnhandled(SpaceId space);

  /** Runs due jobs in the background until closed. */
  void start();

  /** Lets running jobs end, and claims no more. */
  @Override
  void close();
}
