package dev.caliber.agents;

import dev.caliber.kernel.Transitions;

/** What is done about a conflict. */
public enum ConflictStatus {
  DETECTED,
  RESOLVING,
  ESCALATED,
  RESOLVED;

  /** What can happen to a conflict. */
  public enum Event {
    BEGIN,
    ESCALATE,
    RESOLVE,
    /** It was seen again. */
    SEE
  }

  /** The whole life cycle. */
  public static final Transitions<ConflictStatus, Event> LIFE =
      Transitions.<ConflictStatus, Event>from(DETECTED)
          .on(DETECTED, Event.BEGIN, RESOLVING)
          .on(DETECTED, Event.RESOLVE, RESOLVED)
          .on(DETECTED, Event.ESCALATE, ESCALATED)
          .on(DETECTED, Event.SEE, DETECTED)
          .on(RESOLVING, Event.RESOLVE, RESOLVED)
          .on(RESOLVING, Event.ESCALATE, ESCALATED)
          .on(RESOLVING, Event.SEE, RESOLVING)
          .on(ESCALATED, Event.RESOLVE, RESOLVED)
          .on(ESCALATED, Event.SEE, ESCALATED)
          .build();

  ConflictStatus after(Event event) {
    return LIFE.next("Conflict", this, event);
  }
}
