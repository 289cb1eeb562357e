package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.spi.Summary;
import java.util.Optional;

/**
 * Closes a scope: summary, artifacts, checkpoint and the end in one commit. A scope that is closed
 * already stays as it is.
 *
 * @param prepared a summary made beforehand, of {@code preparedTurns} turns; if the scope has
 *     gained more since, it is not used
 */
public record CloseScope(Id scope, Optional<Summary> prepared, int preparedTurns)
    implements Command<Scope> {

  public static CloseScope of(Id scope) {
    return new CloseScope(scope, Optional.empty(), 0);
  }

  CloseScope with(Summary summary, int turns) {
    return new CloseScope(scope, Optional.of(summary), turns);
  }
}
