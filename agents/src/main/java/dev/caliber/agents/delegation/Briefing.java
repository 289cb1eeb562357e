package dev.caliber.agents.delegation;

import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import java.util.List;
import java.util.Optional;

/**
 * Records shared with the receiver of a delegation or handoff.
 *
 * @param context the text of the snapshot, if the whole context is shared
 */
public record Briefing(List<Artifact> artifacts, List<Note> notes, Optional<String> context) {
  public Briefing {
    artifacts = List.copyOf(artifacts);
    notes = List.copyOf(notes);
  }
}
