package dev.caliber.agents;

/** Says what an agent does now. */
public record MoveAgent(AgentId agent, AgentStatus.Event event) implements AgentCommand<Agent> {}
