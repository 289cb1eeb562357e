package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Turn;
import java.util.List;

/**
 * Appends turns to an open scope, all or none. A turn whose external id the trajectory has already
 * is not appended again; the one that is there is answered.
 */
public record AppendTurns(Id scope, List<NewTurn> turns) implements Command<List<Turn>> {
  public AppendTurns {
    turns = List.copyOf(turns);
    if (turns.isEmpty()) {
      throw MemoryException.empty("turns");
    }
  }

  public static AppendTurns of(Id scope, NewTurn... turns) {
    return new AppendTurns(scope, List.of(turns));
  }
}
