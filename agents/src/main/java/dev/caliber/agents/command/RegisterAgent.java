package dev.caliber.agents.command;

import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentProfile;

/** Registers an agent, or updates its profile. It counts as a heartbeat: a failed agent rests. */
public record RegisterAgent(AgentId agent, AgentProfile profile) implements AgentCommand<Agent> {
  public static RegisterAgent of(String agent, AgentProfile agentProfile) {
    return new RegisterAgent(new AgentId(agent), agentProfile);
  }
}
