package dev.caliber.agents;

import dev.caliber.kernel.Transitions;

/** What an agent is doing. */
public enum AgentStatus {
  IDLE,
  ACTIVE,
  BLOCKED,
  FAILED;

  /** What can happen to an agent. */
  public enum Event {
    ACTIVATE,
    BLOCK,
    REST,
    FAIL
  }

  /** The whole life cycle. An agent that failed begins again by resting. */
  public static final Transitions<AgentStatus, Event> LIFE =
      Transitions.<AgentStatus, Event>from(IDLE)
          .on(IDLE, Event.ACTIVATE, ACTIVE)
          .on(IDLE, Event.REST, IDLE)
          .on(IDLE, Event.FAIL, FAILED)
          .on(ACTIVE, Event.ACTIVATE, ACTIVE)
          .on(ACTIVE, Event.BLOCK, BLOCKED)
          .on(ACTIVE, Event.REST, IDLE)
          .on(ACTIVE, Event.FAIL, FAILED)
          .on(BLOCKED, Event.ACTIVATE, ACTIVE)
          .on(BLOCKED, Event.BLOCK, BLOCKED)
          .on(BLOCKED, Event.REST, IDLE)
          .on(BLOCKED, Event.FAIL, FAILED)
          .on(FAILED, Event.REST, IDLE)
          .on(FAILED, Event.FAIL, FAILED)
          .build();

  AgentStatus after(Event event) {
    return LIFE.next("Agent", this, event);
  }
}
