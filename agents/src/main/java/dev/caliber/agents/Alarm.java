package dev.caliber.agents;

import dev.caliber.store.Job;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Sees to it that somebody looks when a time has come. One job waits for the earliest of all times;
 * when it runs, it finds the next one among the records.
 */
record Alarm(Desk desk) {
  static final String JOB = "agents.tend";

  /** Makes a job for this time, unless one comes sooner. */
  void arm(Instant due) {
    boolean sooner =
        desk.transaction()
            .first(Query.over(Jobs.TABLE, "kind", "claimable_at").equal(JOB).from(Instant.EPOCH))
            .map(Job::due)
            .filter(next -> !next.isAfter(due))
            .isPresent();
    if (!sooner) {
      schedule(due);
    }
  }

  /** For what is due next, unless somebody looks before. */
  void armNext() {
    next().ifPresent(this::arm);
  }

  /** For what is due next, whoever looks before: the look that is at work is about to end. */
  void scheduleNext() {
    next().ifPresent(this::schedule);
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

  private Optional<Instant> next() {
    return Stream.of(
            earliest(Heartbeat.TABLE, "watched_at", Heartbeat::at, grace()),
            earliest(Lease.TABLE, "expires_at", Lease::expiresAt, Duration.ZERO),
            earliest(LeaseWait.TABLE, "kept_until", LeaseWait::keptUntil, Duration.ZERO),
            earliest(
                Message.TABLE, "due_at", message -> message.dueAt().orElseThrow(), Duration.ZERO),
            earliest(
                Message.TABLE,
                "dead_since",
                message -> message.delivery().endedAt().orElseThrow(),
                desk.config().mail().deadLetters()),
            earliest(Delegation.TABLE, "due_at", work -> work.dueAt().orElseThrow(), Duration.ZERO),
            earliest(
                Message.TABLE,
                "settled_at",
                message -> message.settledAt().orElseThrow(),
                desk.coordination().messageRetention()))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  private Duration grace() {
    return desk.config().heartbeats().grace();
  }

  private <T> Optional<Instant> earliest(
      Table<T> table, String column, Function<T, Instant> time, Duration after) {
    return desk.rows().earliest(Query.over(table, column)).map(row -> time.apply(row).plus(after));
  }
}
