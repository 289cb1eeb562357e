package dev.caliber.agents;

/** Gives up a place in the queue: true once, false when it was gone already. */
public record LeaveQueue(AgentId agent, Resource resource) implements AgentCommand<Boolean> {}
