package dev.caliber.memory.command;

import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import java.util.List;

/**
 * Turns that were appended to a session.
 *
 * @param notes notes of what the user stated in them, see {@link LearnFromTurns}
 */
public record AppendResult(List<Turn> turns, List<Note> notes) {
  public AppendResult {
    turns = List.copyOf(turns);
    notes = List.copyOf(notes);
  }

  public Turn first() {
    return turns.getFirst();
  }
}
