package dev.caliber.agents;

import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import java.util.List;
import java.util.Optional;

/**
 * What crossed to the receiver of a delegation or handoff.
 *
 * @param context the snapshot's text, where the whole of it crossed
 */
public record Briefing(List<Artifact> artifacts, List<Note> notes, Optional<String> context) {
  public Briefing {
    artifacts = List.copyOf(artifacts);
    notes = List.copyOf(notes);
  }
}
