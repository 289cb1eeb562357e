package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One thing that happened, written in the commit in which it did. It names records and quotes none,
 * so that what is forgotten does not live on in traces.
 *
 * @param type the name of what happened, such as {@code turn_appended}
 * @param record the record it happened to
 * @param detail a code or a number, never content
 * @param durationMs how long it took, where that was measured
 */
public record TraceEvent(
    Id id,
    Optional<Id> trajectory,
    Optional<Id> scope,
    String type,
    EntityRef record,
    Optional<String> detail,
    Instant time,
    Optional<Long> durationMs) {

  public static final Table<TraceEvent> TABLE =
      Table.of("trace", "What happened, for some time.", TraceEvent.class, TraceEvent::id)
          .text("trajectory", event -> Columns.text(event.trajectory))
          .text("scope", event -> Columns.text(event.scope))
          .text("type", TraceEvent::type)
          .instant("time", TraceEvent::time)
          .integer("duration_ms", event -> event.durationMs.orElse(null))
          .index("trajectory")
          .index("type")
          .quiet();

  /** Something that happens in this commit. */
  public static TraceEvent of(
      Transaction transaction, String type, EntityRef record, Optional<Id> trajectory) {
    return new TraceEvent(
        transaction.newId(),
        trajectory,
        Optional.empty(),
        type,
        record,
        Optional.empty(),
        transaction.now(),
        Optional.empty());
  }

  public TraceEvent saying(String code) {
    return new TraceEvent(id, trajectory, scope, type, record, Optional.of(code), time, durationMs);
  }

  public TraceEvent lasting(Duration duration) {
    return new TraceEvent(
        id, trajectory, scope, type, record, detail, time, Optional.of(duration.toMillis()));
  }

  public TraceEvent in(Optional<Id> place) {
    return new TraceEvent(id, trajectory, place, type, record, detail, time, durationMs);
  }
}
