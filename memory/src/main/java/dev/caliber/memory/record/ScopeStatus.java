package dev.caliber.memory.record;

import dev.caliber.kernel.Transitions;

/** Whether a scope still takes turns. */
public enum ScopeStatus {
  OPEN,
  CLOSED;

  /** What can happen to a scope. */
  public enum Event {
    CLOSE
  }

  /** A scope is closed once and never opened again. */
  public static final Transitions<ScopeStatus, Event> LIFE =
      Transitions.<ScopeStatus, Event>from(OPEN).on(OPEN, Event.CLOSE, CLOSED).build();
}
