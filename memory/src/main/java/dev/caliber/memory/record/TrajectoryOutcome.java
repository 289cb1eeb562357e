package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;

/**
 * Outcome of a trajectory and its results.
 *
 * @param artifacts the newest artifacts, up to the limit of a list
 * @param notes the newest notes that it contributed to, up to the limit of a list
 * @param unnamedArtifacts number of further artifacts; empty if there are none
 * @param unnamedNotes number of further notes; empty if there are none
 */
public record TrajectoryOutcome(
    OutcomeStatus status,
    String summary,
    List<Id> artifacts,
    List<Id> notes,
    long durationMs,
    long tokensInput,
    long tokensOutput,
    Optional<Long> unnamedArtifacts,
    Optional<Long> unnamedNotes) {
  public TrajectoryOutcome {
    artifacts = List.copyOf(artifacts);
    notes = List.copyOf(notes);
  }

  TrajectoryOutcome withSummary(String words) {
    return new TrajectoryOutcome(
        status,
        words,
        artifacts,
        notes,
        durationMs,
        tokensInput,
        tokensOutput,
        unnamedArtifacts,
        unnamedNotes);
  }
}
