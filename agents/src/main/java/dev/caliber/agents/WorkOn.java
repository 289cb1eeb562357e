package dev.caliber.agents;

import dev.caliber.kernel.Id;

/** Says which task an agent is at; it is active from now on. */
public record WorkOn(AgentId agent, Id trajectory) implements AgentCommand<Agent> {}
