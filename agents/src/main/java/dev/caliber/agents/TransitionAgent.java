package dev.caliber.agents;

/** Changes the status of an agent. */
public record TransitionAgent(AgentId agent, AgentStatus.AgentTransition event)
    implements AgentCommand<Agent> {}
