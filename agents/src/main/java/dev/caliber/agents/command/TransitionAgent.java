package dev.caliber.agents.command;

import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentStatus;

/** Changes the status of an agent. */
public record TransitionAgent(AgentId agent, AgentStatus.AgentTransition event)
    implements AgentCommand<Agent> {}
