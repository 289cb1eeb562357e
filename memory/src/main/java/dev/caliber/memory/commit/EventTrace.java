package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.memory.event.MemoryEvent;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.TracedRecord;
import java.util.Set;

/** Writer of the trace of each event, and of notices for those that followers may await. */
public final class EventTrace {
  /** Events that are published on notification channels. */
  private static final Set<String> PUBLISHED =
      Set.of(
          "trajectory_started",
          "trajectory_completed",
          "trajectory_failed",
          "trajectory_suspended",
          "trajectory_resumed",
          "scope_opened",
          "scope_closed",
          "artifact_created");

  /** Events whose trace contains the duration since the unit of work began. */
  private static final Set<String> TIMED = Set.of("checkpoint_saved", "checkpoint_recovered");

  private EventTrace() {}

  public static void writeTrace(UnitOfWork unitOfWork, MemoryEvent event) {
    String name = event.traceName();
    TracedRecord about = event.tracedRecord();
    TraceEvent trace = TraceEvent.of(unitOfWork.transaction(), name, about);
    unitOfWork
        .transaction()
        .append(
            TraceEvent.TABLE,
            TIMED.contains(name) ? trace.withDuration(unitOfWork.elapsedTime()) : trace);
    if (PUBLISHED.contains(name)) {
      unitOfWork.publishNotice(name, Id.parse(about.record().id()));
    }
  }
}
