package dev.caliber.agents.conflict;

import dev.caliber.kernel.Transitions;
import java.util.List;

/** Status of a conflict. */
public enum ConflictStatus {
  DETECTED,
  RESOLVING,
  ESCALATED,
  RESOLVED;

  /** Event in the life cycle of a conflict. */
  public enum ConflictTransition {
    BEGIN,
    ESCALATE,
    RESOLVE,
    /** The conflict was detected again, which changes nothing. */
    SEE
  }

  /** Life cycle of a conflict. */
  public static final Transitions<ConflictStatus, ConflictTransition> LIFE =
      Transitions.<ConflictStatus, ConflictTransition>from(DETECTED)
          .on(DETECTED, ConflictTransition.BEGIN, RESOLVING)
          .on(DETECTED, ConflictTransition.RESOLVE, RESOLVED)
          .on(DETECTED, ConflictTransition.ESCALATE, ESCALATED)
          .on(DETECTED, ConflictTransition.SEE, DETECTED)
          .on(RESOLVING, ConflictTransition.RESOLVE, RESOLVED)
          .on(RESOLVING, ConflictTransition.ESCALATE, ESCALATED)
          .on(RESOLVING, ConflictTransition.SEE, RESOLVING)
          .on(ESCALATED, ConflictTransition.RESOLVE, RESOLVED)
          .on(ESCALATED, ConflictTransition.SEE, ESCALATED)
          .build();

  /** Statuses of an unresolved conflict. */
  public static final List<ConflictStatus> OPEN = List.of(DETECTED, RESOLVING, ESCALATED);

  ConflictStatus next(ConflictTransition conflictTransition) {
    return LIFE.next("Conflict", this, conflictTransition);
  }
}
