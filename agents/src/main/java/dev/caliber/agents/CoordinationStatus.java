package dev.caliber.agents;

import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.registry.AgentId;
import java.time.Instant;
import java.util.List;

/**
 * Leases, waiting agents and stuck records of a space.
 *
 * @param cut the kinds that have more entries than are listed
 */
public record CoordinationStatus(
    List<Lease> leases, List<LeaseWaiter> waiters, List<StuckItem> stuck, List<String> cut) {
  public CoordinationStatus {
    leases = List.copyOf(leases);
    waiters = List.copyOf(waiters);
    stuck = List.copyOf(stuck);
    cut = List.copyOf(cut);
  }

  /**
   * Waiting agent, with the agents that it waits for.
   *
   * @param behind the first agents before it
   * @param cut whether there are more than are named
   */
  public record LeaseWaiter(
      AgentId agent, Resource resource, List<AgentId> behind, Instant since, boolean cut) {
    public LeaseWaiter {
      behind = List.copyOf(behind);
    }
  }

  /**
   * Record that makes no progress.
   *
   * @param kind one of {@link #KINDS}
   * @param reason why it is listed
   */
  public record StuckItem(String kind, String id, String reason, Instant since) {
    public static final List<String> KINDS =
        List.of("agent", "lease_wait", "message", "delegation", "handoff", "conflict");
  }
}
