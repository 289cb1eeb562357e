package dev.caliber.agents.delegation;

import dev.caliber.kernel.Transitions;

/** Status of a handoff. */
public enum HandoffStatus {
  INITIATED,
  ACCEPTED,
  COMPLETED,
  REJECTED;

  /** Event in the life cycle of a handoff. */
  public enum HandoffTransition {
    ACCEPT,
    REJECT,
    /** A report that changes nothing else. */
    REPORT,
    COMPLETE
  }

  /** Life cycle of a handoff. One without progress is superseded by another handoff. */
  public static final Transitions<HandoffStatus, HandoffTransition> LIFE =
      Transitions.<HandoffStatus, HandoffTransition>from(INITIATED)
          .on(INITIATED, HandoffTransition.ACCEPT, ACCEPTED)
          .on(INITIATED, HandoffTransition.REJECT, REJECTED)
          .on(INITIATED, HandoffTransition.REPORT, INITIATED)
          .on(ACCEPTED, HandoffTransition.COMPLETE, COMPLETED)
          .on(ACCEPTED, HandoffTransition.REPORT, ACCEPTED)
          .build();

  public boolean isTerminal() {
    return LIFE.terminal().contains(this);
  }

  HandoffStatus next(HandoffTransition handoffTransition) {
    return LIFE.next("Handoff", this, handoffTransition);
  }
}
