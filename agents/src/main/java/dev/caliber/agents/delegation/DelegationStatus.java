package dev.caliber.agents.delegation;

import dev.caliber.kernel.Transitions;

/** Status of delegated work. */
public enum DelegationStatus {
  PENDING,
  ACCEPTED,
  IN_PROGRESS,
  COMPLETED,
  REJECTED,
  FAILED;

  /** Event in the life cycle of delegated work. */
  public enum DelegationTransition {
    ACCEPT,
    REJECT,
    BEGIN,
    /** A report that changes nothing else. */
    REPORT,
    COMPLETE,
    FAIL
  }

  /** Life cycle of delegated work. */
  public static final Transitions<DelegationStatus, DelegationTransition> LIFE =
      Transitions.<DelegationStatus, DelegationTransition>from(PENDING)
          .on(PENDING, DelegationTransition.ACCEPT, ACCEPTED)
          .on(PENDING, DelegationTransition.REJECT, REJECTED)
          .on(PENDING, DelegationTransition.REPORT, PENDING)
          .on(ACCEPTED, DelegationTransition.BEGIN, IN_PROGRESS)
          .on(ACCEPTED, DelegationTransition.FAIL, FAILED)
          .on(ACCEPTED, DelegationTransition.REPORT, ACCEPTED)
          .on(IN_PROGRESS, DelegationTransition.COMPLETE, COMPLETED)
          .on(IN_PROGRESS, DelegationTransition.FAIL, FAILED)
          .on(IN_PROGRESS, DelegationTransition.REPORT, IN_PROGRESS)
          .build();

  public boolean isTerminal() {
    return LIFE.terminal().contains(this);
  }

  DelegationStatus next(DelegationTransition delegationTransition) {
    return LIFE.next("Delegation", this, delegationTransition);
  }
}
