package dev.caliber.agents;

import dev.caliber.kernel.Transitions;

/** Where delegated work is. */
public enum DelegationStatus {
  PENDING,
  ACCEPTED,
  IN_PROGRESS,
  COMPLETED,
  REJECTED,
  FAILED;

  /** What can happen to delegated work. */
  public enum Event {
    ACCEPT,
    REJECT,
    BEGIN,
    /** A report that changes nothing else. */
    REPORT,
    COMPLETE,
    FAIL
  }

  /** The whole life cycle. */
  public static final Transitions<DelegationStatus, Event> LIFE =
      Transitions.<DelegationStatus, Event>from(PENDING)
          .on(PENDING, Event.ACCEPT, ACCEPTED)
          .on(PENDING, Event.REJECT, REJECTED)
          .on(PENDING, Event.REPORT, PENDING)
          .on(ACCEPTED, Event.BEGIN, IN_PROGRESS)
          .on(ACCEPTED, Event.FAIL, FAILED)
          .on(ACCEPTED, Event.REPORT, ACCEPTED)
          .on(IN_PROGRESS, Event.COMPLETE, COMPLETED)
          .on(IN_PROGRESS, Event.FAIL, FAILED)
          .on(IN_PROGRESS, Event.REPORT, IN_PROGRESS)
          .build();

  public boolean isTerminal() {
    return LIFE.terminal().contains(this);
  }

  DelegationStatus after(Event event) {
    return LIFE.next("Delegation", this, event);
  }
}
