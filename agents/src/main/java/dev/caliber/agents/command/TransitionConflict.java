package dev.caliber.agents.command;

import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.conflict.ConflictOutcome;
import dev.caliber.agents.conflict.ConflictStatus;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import java.util.Optional;

/**
 * Changes the status of a conflict. An escalation notifies the agent's superior.
 *
 * @param resolution the resolution; required to resolve it
 */
public record TransitionConflict(
    AgentId agent,
    Id conflict,
    ConflictStatus.ConflictTransition event,
    Optional<ConflictOutcome> resolution)
    implements AgentCommand<Conflict> {
  public TransitionConflict {
    resolution
        .filter(decided -> !decided.by().equals(agent))
        .ifPresent(
            decided -> {
              throw KernelException.invalidValue(
                  "deciding agent", agent.value(), decided.by().value());
            });
  }

  public static TransitionConflict of(
      AgentId agent, Id conflict, ConflictStatus.ConflictTransition conflictTransition) {
    return new TransitionConflict(agent, conflict, conflictTransition, Optional.empty());
  }

  public static TransitionConflict resolve(Id conflict, ConflictOutcome conflictOutcome) {
    return new TransitionConflict(
        conflictOutcome.by(),
        conflict,
        ConflictStatus.ConflictTransition.RESOLVE,
        Optional.of(conflictOutcome));
  }
}
