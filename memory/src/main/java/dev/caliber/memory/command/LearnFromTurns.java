package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Note;
import java.util.List;

/**
 * Makes notes of what a user states in these turns: facts, preferences, decisions and constraints.
 * The metadata of each note names its turn. Rules look for them; where a model is configured, it
 * does, too.
 */
public record LearnFromTurns(List<Id> turns) implements Command<List<Note>> {
  public LearnFromTurns {
    turns = List.copyOf(turns);
  }
}
