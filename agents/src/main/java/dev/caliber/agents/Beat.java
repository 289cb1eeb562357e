package dev.caliber.agents;

import java.util.List;

/**
 * Signs of life of agents, many in one commit. One that had failed rests from now on; what it held
 * may be somebody else's. It answers those.
 */
public record Beat(List<AgentId> agents) implements AgentCommand<List<AgentId>> {
  public Beat {
    agents = List.copyOf(agents);
  }

  public static Beat of(AgentId... agents) {
    return new Beat(List.of(agents));
  }
}
