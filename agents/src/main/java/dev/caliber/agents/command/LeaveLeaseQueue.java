package dev.caliber.agents.command;

import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.registry.AgentId;

/** Gives up a queue entry; returns false if there was none. */
public record LeaveLeaseQueue(AgentId agent, Resource resource) implements AgentCommand<Boolean> {}
