package dev.caliber.agents;

import dev.caliber.kernel.Transitions;

/** Where a task that is being handed over is. */
public enum HandoffStatus {
  INITIATED,
  ACCEPTED,
  COMPLETED,
  REJECTED;

  /** What can happen to a handoff. */
  public enum Event {
    ACCEPT,
    REJECT,
    /** A word that changes nothing else. */
    REPORT,
    COMPLETE
  }

  /** The whole life cycle. One that hangs is superseded by another handoff. */
  public static final Transitions<HandoffStatus, Event> LIFE =
      Transitions.<HandoffStatus, Event>from(INITIATED)
          .on(INITIATED, Event.ACCEPT, ACCEPTED)
          .on(INITIATED, Event.REJECT, REJECTED)
          .on(INITIATED, Event.REPORT, INITIATED)
          .on(ACCEPTED, Event.COMPLETE, COMPLETED)
          .on(ACCEPTED, Event.REPORT, ACCEPTED)
          .build();

  public boolean isTerminal() {
    return LIFE.terminal().contains(this);
  }

  HandoffStatus after(Event event) {
    return LIFE.next("Handoff", this, event);
  }
}
