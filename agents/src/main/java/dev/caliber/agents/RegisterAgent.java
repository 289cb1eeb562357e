package dev.caliber.agents;

/**
 * Makes an agent known, or says anew what a known one is. It counts as a sign of life: one that had
 * failed rests.
 */
public record RegisterAgent(AgentId agent, Profile profile) implements AgentCommand<Agent> {
  public static RegisterAgent of(String agent, Profile profile) {
    return new RegisterAgent(new AgentId(agent), profile);
  }
}
