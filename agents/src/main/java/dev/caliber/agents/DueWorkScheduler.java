package dev.caliber.agents;

import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseQueueEntry;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.registry.Heartbeat;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.job.Job;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Scheduler of due work. It keeps one job for the earliest due time of all leases, heartbeats,
 * messages and delegations; the job schedules its successor.
 */
record DueWorkScheduler(AgentsUnitOfWork unitOfWork) {
  static final String JOB = "agents.maintenance";

  /** Schedules a job for this time, unless one is due sooner. */
  void scheduleUnlessSooner(Instant due) {
    boolean sooner =
        unitOfWork
            .transaction()
            .first(Query.over(Jobs.TABLE, "kind", "claimable_at").equal(JOB).from(Instant.EPOCH))
            .map(Job::due)
            .filter(next -> !next.isAfter(due))
            .isPresent();
    if (!sooner) {
      schedule(due);
    }
  }

  /** Schedules a job for the next due time, unless one is due sooner. */
  void scheduleNextUnlessSooner() {
    nextDueTime().ifPresent(this::scheduleUnlessSooner);
  }

  /**
   * Schedules a job for the next due time, even if one is due sooner: that one is the running job.
   */
  void scheduleNext() {
    nextDueTime().ifPresent(this::schedule);
  }

  /** Rounds the time up to the interval; there is at most one job for each. */
  void schedule(Instant due) {
    long interval = unitOfWork.config().maintenance().interval().toMillis();
    long slot = Math.max(due.toEpochMilli(), unitOfWork.now().toEpochMilli()) / interval + 1;
    Jobs.schedule(
        unitOfWork.transaction(),
        JobRequest.of(JOB, Long.toString(slot), Instant.ofEpochMilli(slot * interval))
            .withDeduplicationKey(Long.toString(slot)));
  }

  private Optional<Instant> nextDueTime() {
    return Stream.of(
            earliest(Heartbeat.TABLE, "watched_at", Heartbeat::at, heartbeatGrace()),
            earliest(Lease.TABLE, "expires_at", Lease::expiresAt, Duration.ZERO),
            earliest(
                LeaseQueueEntry.TABLE, "kept_until", LeaseQueueEntry::keptUntil, Duration.ZERO),
            earliest(
                Message.TABLE, "due_at", message -> message.dueAt().orElseThrow(), Duration.ZERO),
            earliest(
                Message.TABLE,
                "dead_since",
                message -> message.delivery().endedAt().orElseThrow(),
                unitOfWork.config().messages().deadLetterRetention()),
            earliest(Delegation.TABLE, "due_at", work -> work.dueAt().orElseThrow(), Duration.ZERO),
            earliest(
                Message.TABLE,
                "settled_at",
                message -> message.settledAt().orElseThrow(),
                unitOfWork.coordination().messageRetention()))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  private Duration heartbeatGrace() {
    return unitOfWork.config().heartbeats().timeout();
  }

  private <T> Optional<Instant> earliest(
      Table<T> table, String column, Function<T, Instant> time, Duration after) {
    return unitOfWork
        .transaction()
        .first(Query.over(table, column).from(Instant.EPOCH))
        .map(row -> time.apply(row).plus(after));
  }
}
