package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.memory.view.TruncatedList;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Traced events of a trajectory, as far as traces are kept.
 *
 * @param events newest first, at most the requested number
 * @param summary of all events, or of the newest if there are more than a list may hold
 */
public record TrajectoryTrace(Id trajectory, List<TraceEvent> events, TraceSummary summary) {
  public TrajectoryTrace {
    events = List.copyOf(events);
  }

  /**
   * Totals of the events.
   *
   * @param events number of events counted
   * @param complete false when there are older events, which are not counted
   */
  public record TraceSummary(
      long events,
      boolean complete,
      long durationMs,
      long scopesCreated,
      long artifactsCreated,
      long notesCreated,
      long contextAssemblies,
      long totalTokensInput,
      long totalTokensOutput,
      long checkpointsCreated,
      long recoveriesPerformed) {}

  static TrajectoryTrace of(MemoryView view, Id id, Optional<String> type, int limit) {
    if (limit < 0) {
      throw MemoryException.invalid("limit", "0 or more", Integer.toString(limit));
    }
    Trajectory trajectory = view.trajectory(id);
    TruncatedList<TraceEvent> truncatedList = view.newestTrace(id);
    List<TraceEvent> all = truncatedList.records();
    return new TrajectoryTrace(
        id,
        all.stream()
            .filter(event -> type.filter(wanted -> !wanted.equals(event.type())).isEmpty())
            .limit(limit)
            .toList(),
        new TraceSummary(
            all.size(),
            !truncatedList.more(),
            Duration.between(trajectory.createdAt(), trajectory.updatedAt()).toMillis(),
            count(all, "scope_opened"),
            count(all, "artifact_created"),
            count(all, "note_written"),
            count(all, "context_assembled"),
            trajectory.counters().tokensInput(),
            trajectory.counters().tokensOutput(),
            count(all, "checkpoint_saved"),
            count(all, "checkpoint_recovered")));
  }

  private static long count(List<TraceEvent> events, String type) {
    return events.stream().filter(event -> event.type().equals(type)).count();
  }
}
