package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/**
 * One thing that happened, written in the commit in which it did. It names records and quotes none,
 * so that what is forgotten does not live on in traces.
 *
 * @param type the name of what happened, such as {@code turn_appended}
 * @param record the record it happened to
 * @param detail a code or a number, never content
 */
public record TraceEvent(
    Id id,
    Optional<Id> trajectory,
    Optional<Id> scope,
    String type,
    EntityRef record,
    Optional<String> detail,
    Instant time) {

  public static final Table<TraceEvent> TABLE =
      Table.of("trace", "What happened, for some time.", TraceEvent.class, TraceEvent::id)
          .text("trajectory", event -> Columns.text(event.trajectory))
          .text("scope", event -> Columns.text(event.scope))
          .text("type", TraceEvent::type)
          .instant("time", TraceEvent::time)
          .index("trajectory")
          .index("type")
          .quiet();
}
