package dev.caliber.memory.event;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.NullableColumns;
import dev.caliber.memory.record.TracedRecord;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Entry of the trace, written in the commit of the event. It refers to records and quotes none, so
 * that traces contain no forgotten text.
 *
 * @param type name of the event, such as {@code turn_appended}
 * @param record the record it is about
 * @param detail a code or a number, never content
 * @param durationMs the duration, if it was measured
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
      Table.of("trace", "Trace of events, kept for some time.", TraceEvent.class, TraceEvent::id)
          .text("trajectory", event -> NullableColumns.textOrNull(event.trajectory))
          .text("scope", event -> NullableColumns.textOrNull(event.scope))
          .text("type", TraceEvent::type)
          .instant("time", TraceEvent::time)
          .integer("duration_ms", event -> event.durationMs.orElse(null))
          .index("trajectory")
          .index("type")
          .withoutFeed();

  /** Returns the trace event of something in this commit. */
  public static TraceEvent of(
      Transaction transaction, String type, EntityRef record, Optional<Id> trajectory) {
    return of(transaction, type, new TracedRecord(record, trajectory, Optional.empty()));
  }

  /** Returns the trace event of a record with its trajectory and scope. */
  public static TraceEvent of(Transaction transaction, String type, TracedRecord about) {
    return new TraceEvent(
        transaction.newId(),
        about.trajectory(),
        about.scope(),
        type,
        about.record(),
        Optional.empty(),
        transaction.now(),
        Optional.empty());
  }

  public TraceEvent withDetail(String code) {
    return new TraceEvent(id, trajectory, scope, type, record, Optional.of(code), time, durationMs);
  }

  public TraceEvent withDuration(Duration duration) {
    return new TraceEvent(
        id, trajectory, scope, type, record, detail, time, Optional.of(duration.toMillis()));
  }

  public TraceEvent withScope(Optional<Id> place) {
    return new TraceEvent(id, trajectory, place, type, record, detail, time, durationMs);
  }
}
