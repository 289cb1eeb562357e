package dev.caliber.agents;

import dev.caliber.kernel.Transitions;
import java.util.List;

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
    /** It was seen again, which changes nothing. */
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

  /** Those in which something is still to be done. */
  static final List<ConflictStatus> OPEN = List.of(DETECTED, RESOLVING, ESCALATED);

  ConflictStatus after(Event event) {
    return LIFE.next("Conflict", this, event);
  }
}
