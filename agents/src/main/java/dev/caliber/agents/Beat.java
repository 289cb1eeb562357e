package dev.caliber.agents;

import java.util.List;

/**
 * Signs of life of agents, many in one commit. One that nobody registered keeps none of the others
 * from being heard; a call with no other is refused.
 */
public record Beat(List<AgentId> agents) implements AgentCommand<Beat.Heard> {
  public Beat {
    agents = List.copyOf(agents);
  }

  /**
   * What became of them.
   *
   * @param revived those that had failed and rest from now on; what they held may be somebody
   *     else's
   * @param unknown those that nobody registered
   */
  public record Heard(List<AgentId> revived, List<AgentId> unknown) {
    public Heard {
      revived = List.copyOf(revived);
      unknown = List.copyOf(unknown);
    }
  }

  public static Beat of(AgentId... agents) {
    return new Beat(List.of(agents));
  }
}
