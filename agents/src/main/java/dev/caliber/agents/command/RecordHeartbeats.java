package dev.caliber.agents.command;

import dev.caliber.agents.registry.AgentId;
import java.util.List;

/**
 * Records heartbeats of agents, many in one commit. Unregistered agents are skipped; a call with no
 * registered agent is refused.
 */
public record RecordHeartbeats(List<AgentId> agents)
    implements AgentCommand<RecordHeartbeats.RecordHeartbeatsResult> {
  public RecordHeartbeats {
    agents = List.copyOf(agents);
  }

  /**
   * Result of the heartbeats.
   *
   * @param revived failed agents that rest from now on; other agents may hold their leases now
   * @param unknown agents that are not registered
   */
  public record RecordHeartbeatsResult(List<AgentId> revived, List<AgentId> unknown) {
    public RecordHeartbeatsResult {
      revived = List.copyOf(revived);
      unknown = List.copyOf(unknown);
    }
  }

  public static RecordHeartbeats of(AgentId... agents) {
    return new RecordHeartbeats(List.of(agents));
  }
}
