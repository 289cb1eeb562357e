package dev.caliber.agents.command;

import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.conflict.ConflictType;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.InputChecks;
import dev.caliber.kernel.Id;
import java.util.Optional;

/** Reports a conflict; returns the existing one if it is known already. */
public record ReportConflict(
    AgentId agent,
    ConflictType type,
    Conflict.ConflictSide first,
    Conflict.ConflictSide second,
    String about,
    Optional<Id> trajectory)
    implements AgentCommand<Conflict> {
  public ReportConflict {
    InputChecks.requireText("subject of a conflict", about);
  }
}
