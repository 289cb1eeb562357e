package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Scope;

/** Command that closes a scope with summary, artifacts and checkpoint in one commit. */
public record CloseScope(Id scope) implements Command<Scope> {

  public static CloseScope of(Id scope) {
    return new CloseScope(scope);
  }
}
