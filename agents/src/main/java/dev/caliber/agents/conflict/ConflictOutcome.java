package dev.caliber.agents.conflict;

import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.InputChecks;

/**
 * Resolution of a conflict.
 *
 * @param by the deciding agent
 */
public record ConflictOutcome(AgentId by, ConflictVerdict verdict, String reason) {
  /** Decision between the two sides. */
  public enum ConflictVerdict {
    FIRST_STANDS,
    SECOND_STANDS,
    MERGED,
    BOTH_STAND,
    NEITHER_STANDS
  }

  public ConflictOutcome {
    InputChecks.requireText("reason of a resolution", reason);
  }
}
