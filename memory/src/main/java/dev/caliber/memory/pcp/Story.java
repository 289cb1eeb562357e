package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.Newest;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What happened to a trajectory, as far as traces are kept.
 *
 * @param events newest first, as many as were asked for
 * @param summary of all of them, or of the newest where there are more than a list may hold
 */
public record Story(Id trajectory, List<TraceEvent> events, Summary summary) {
  public Story {
    events = List.copyOf(events);
  }

  /**
   * The same in numbers.
   *
   * @param events so many events are counted
   * @param complete false when there are older ones, which are not counted
   */
  public record Summary(
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

  static Story of(MemoryView view, Id id, Optional<String> type, int limit) {
    if (limit < 0) {
      throw MemoryException.invalid("limit", "0 or more", Integer.toString(limit));
    }
    Trajectory trajectory = view.trajectory(id);
    Newest<TraceEvent> newest = view.newestTrace(id);
    List<TraceEvent> all = newest.records();
    return new Story(
        id,
        all.stream()
            .filter(event -> type.filter(wanted -> !wanted.equals(event.type())).isEmpty())
            .limit(limit)
            .toList(),
        new Summary(
            all.size(),
            !newest.more(),
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
