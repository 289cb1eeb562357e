package dev.caliber.agents.command;

import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.InputChecks;

/**
 * Unregisters an agent. It is refused if another agent reports to it, or if it holds anything and
 * {@code giveBack} is false.
 *
 * @param giveBack whether to end its leases and queue entries, expire its messages, fail its work,
 *     and reject what it could accept
 * @param by the person or program that requests it, for the trace
 */
public record UnregisterAgent(AgentId agent, boolean giveBack, String by)
    implements AgentCommand<UnregisterAgent.UnregisterAgentResult> {
  public UnregisterAgent {
    InputChecks.requireText("requester of an unregistration", by);
  }

  /**
   * Result of an unregistration.
   *
   * @param complete false if the agent had more than one commit may give back: then repeat the
   *     command
   */
  public record UnregisterAgentResult(AgentId agent, boolean complete) {}
}
