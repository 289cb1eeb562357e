package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;

/**
 * How a trajectory ended and what it left.
 *
 * @param artifacts the newest, at most as many as a list may have
 * @param notes the newest that it has taught, as many
 * @param unnamedArtifacts how many more there were; empty: none
 * @param unnamedNotes how many more it has taught; empty: none
 */
public record Outcome(
    OutcomeStatus status,
    String summary,
    List<Id> artifacts,
    List<Id> notes,
    long durationMs,
    long tokensInput,
    long tokensOutput,
    Optional<Long> unnamedArtifacts,
    Optional<Long> unnamedNotes) {
  public Outcome {
    artifacts = List.copyOf(artifacts);
    notes = List.copyOf(notes);
  }

  Outcome reworded(String words) {
    return new Outcome(
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
