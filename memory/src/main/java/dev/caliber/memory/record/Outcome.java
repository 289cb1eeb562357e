package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import java.util.List;

/** How a trajectory ended and what it left. */
public record Outcome(
    OutcomeStatus status,
    String summary,
    List<Id> artifacts,
    List<Id> notes,
    long durationMs,
    long tokensInput,
    long tokensOutput) {
  public Outcome {
    artifacts = List.copyOf(artifacts);
    notes = List.copyOf(notes);
  }

  Outcome reworded(String words) {
    return new Outcome(status, words, artifacts, notes, durationMs, tokensInput, tokensOutput);
  }
}
