package dev.caliber.agents.command;

import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.Id;

/** Assigns a task to an agent and activates the agent. */
public record AssignTask(AgentId agent, Id trajectory) implements AgentCommand<Agent> {}
