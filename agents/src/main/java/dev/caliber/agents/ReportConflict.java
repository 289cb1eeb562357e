package dev.caliber.agents;

import dev.caliber.kernel.Id;
import java.util.Optional;

/** Says that two things do not go together; one that is known already is answered. */
public record ReportConflict(
    AgentId agent,
    ConflictType type,
    Conflict.Item first,
    Conflict.Item second,
    String about,
    Optional<Id> trajectory)
    implements AgentCommand<Conflict> {
  public ReportConflict {
    Names.requireFilled("what a conflict is about", about);
  }
}
