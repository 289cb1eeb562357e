package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Note;
import java.util.List;

/**
 * Command that makes notes of what a user states in these turns: facts, preferences, decisions and
 * constraints. The metadata of each note names its turn. Rules find them, and a model too if one is
 * configured.
 */
public record LearnFromTurns(List<Id> turns) implements Command<List<Note>> {
  public LearnFromTurns {
    turns = List.copyOf(turns);
  }
}
