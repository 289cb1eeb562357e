package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import java.util.Optional;

/**
 * Says what is done about a conflict. An escalation is told to whom the agent reports to.
 *
 * @param resolution how it ended; needed to resolve it
 */
public record MoveConflict(
    AgentId agent, Id conflict, ConflictStatus.Event event, Optional<Resolution> resolution)
    implements AgentCommand<Conflict> {
  public MoveConflict {
    resolution
        .filter(decided -> !decided.by().equals(agent))
        .ifPresent(
            decided -> {
              throw KernelException.invalidValue(
                  "who decided", agent.value(), decided.by().value());
            });
  }

  public static MoveConflict of(AgentId agent, Id conflict, ConflictStatus.Event event) {
    return new MoveConflict(agent, conflict, event, Optional.empty());
  }

  public static MoveConflict resolve(Id conflict, Resolution resolution) {
    return new MoveConflict(
        resolution.by(), conflict, ConflictStatus.Event.RESOLVE, Optional.of(resolution));
  }
}
