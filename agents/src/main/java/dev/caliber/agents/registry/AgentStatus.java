package dev.caliber.agents.registry;

import dev.caliber.kernel.Transitions;

/** Status of an agent. */
public enum AgentStatus {
  IDLE,
  ACTIVE,
  BLOCKED,
  FAILED;

  /** Event in the life cycle of an agent. */
  public enum AgentTransition {
    ACTIVATE,
    BLOCK,
    REST,
    FAIL
  }

  /** Life cycle of an agent. A failed agent returns by resting. */
  public static final Transitions<AgentStatus, AgentTransition> LIFE =
      Transitions.<AgentStatus, AgentTransition>from(IDLE)
          .on(IDLE, AgentTransition.ACTIVATE, ACTIVE)
          .on(IDLE, AgentTransition.REST, IDLE)
          .on(IDLE, AgentTransition.FAIL, FAILED)
          .on(ACTIVE, AgentTransition.ACTIVATE, ACTIVE)
          .on(ACTIVE, AgentTransition.BLOCK, BLOCKED)
          .on(ACTIVE, AgentTransition.REST, IDLE)
          .on(ACTIVE, AgentTransition.FAIL, FAILED)
          .on(BLOCKED, AgentTransition.ACTIVATE, ACTIVE)
          .on(BLOCKED, AgentTransition.BLOCK, BLOCKED)
          .on(BLOCKED, AgentTransition.REST, IDLE)
          .on(BLOCKED, AgentTransition.FAIL, FAILED)
          .on(FAILED, AgentTransition.REST, IDLE)
          .on(FAILED, AgentTransition.FAIL, FAILED)
          .build();

  AgentStatus next(AgentTransition agentTransition) {
    return LIFE.next("Agent", this, agentTransition);
  }
}
