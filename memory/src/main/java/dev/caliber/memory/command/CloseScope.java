package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Scope;

/**
 * Closes a scope: summary, artifacts, checkpoint and the end in one commit. A scope that is closed
 * already stays as it is.
 */
public record CloseScope(Id scope) implements Command<Scope> {

  public static CloseScope of(Id scope) {
    return new CloseScope(scope);
  }
}
