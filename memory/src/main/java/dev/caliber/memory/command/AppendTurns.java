package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Turn;
import java.util.List;

/**
 * Command that appends turns to an open scope, all or none. A turn whose external id exists in the
 * trajectory is not appended again; the existing one is returned.
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
