package dev.caliber.agents;

/** Gives up a queue entry; returns false if there was none. */
public record LeaveLeaseQueue(AgentId agent, Resource resource) implements AgentCommand<Boolean> {}
