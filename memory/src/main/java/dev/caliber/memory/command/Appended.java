package dev.caliber.memory.command;

import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import java.util.List;

/**
 * Turns that a session has taken in.
 *
 * @param notes what the user has stated in them, see {@link LearnFromTurns}
 */
public record Appended(List<Turn> turns, List<Note> notes) {
  public Appended {
    turns = List.copyOf(turns);
    notes = List.copyOf(notes);
  }

  public Turn first() {
    return turns.getFirst();
  }

  /** For an agent, which may be allowed to write turns and not to read notes. */
  public Appended withoutNotes() {
    return new Appended(turns, List.of());
  }
}
