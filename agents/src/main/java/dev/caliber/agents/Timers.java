package dev.caliber.agents;

import dev.caliber.store.Job;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import java.time.Instant;

/**
 * Sees to it that somebody looks when a time has come. One job waits for the earliest of all times;
 * when it runs, it finds the next one among the records.
 */
final class Timers {
  static final String JOB = "agents.tend";

  private final Desk desk;

  Timers(Desk desk) {
    this.desk = desk;
  }

  /** Makes a job for this time, unless one comes sooner. */
  void arm(Instant due) {
    boolean sooner =
        desk
            .transaction()
            .scan(Query.over(Jobs.TABLE, "kind", "claimable_at").equal(JOB).from(Instant.EPOCH), 1)
            .records()
            .stream()
            .map(Job::due)
            .anyMatch(next -> !next.isAfter(due));
    if (!sooner) {
      schedule(due);
    }
  }

  /** Times are rounded up to the interval, and there is one job for each. */
  void schedule(Instant due) {
    long interval = desk.config().tending().interval().toMillis();
    long slot = Math.max(due.toEpochMilli(), desk.now().toEpochMilli()) / interval + 1;
    Jobs.schedule(
        desk.transaction(),
        JobRequest.of(JOB, Long.toString(slot), Instant.ofEpochMilli(slot * interval))
            .once(Long.toString(slot)));
  }
}
