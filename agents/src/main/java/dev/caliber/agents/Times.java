package dev.caliber.agents;

import dev.caliber.store.Query;
import dev.caliber.store.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The next time at which something has to happen by itself. */
record Times(Desk desk) {

  /** For what is due next, unless somebody looks before. */
  void arm() {
    next().ifPresent(new Timers(desk)::arm);
  }

  void armNext() {
    next().ifPresent(new Timers(desk)::schedule);
  }

  private Optional<Instant> next() {
    return Stream.of(
            earliest(Heartbeat.TABLE, "at", Heartbeat::at, desk.config().heartbeats().grace()),
            earliest(Lease.TABLE, "expires_at", Lease::expiresAt, Duration.ZERO),
            earliest(LeaseWait.TABLE, "kept_until", LeaseWait::keptUntil, Duration.ZERO),
            earliest(
                Message.TABLE, "due_at", message -> message.dueAt().orElseThrow(), Duration.ZERO),
            earliest(Delegation.TABLE, "due_at", work -> work.dueAt().orElseThrow(), Duration.ZERO),
            earliest(
                Message.TABLE,
                "ended_at",
                message -> message.delivery().endedAt().orElseThrow(),
                desk.coordination().messageRetention()))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  private <T> Optional<Instant> earliest(
      Table<T> table, String column, Function<T, Instant> time, Duration after) {
    return Rows.earliest(desk.transaction(), Query.over(table, column))
        .map(row -> time.apply(row).plus(after));
  }
}
