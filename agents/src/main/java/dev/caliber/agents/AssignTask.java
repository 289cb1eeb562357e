package dev.caliber.agents;

import dev.caliber.kernel.Id;

/** Assigns a task to an agent and activates the agent. */
public record AssignTask(AgentId agent, Id trajectory) implements AgentCommand<Agent> {}
