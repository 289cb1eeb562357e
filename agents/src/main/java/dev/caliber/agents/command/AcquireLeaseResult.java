package dev.caliber.agents.command;

import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseQueueEntry;
import dev.caliber.agents.registry.AgentId;
import java.util.List;
import java.util.Optional;

/** Result of a lease request. */
public sealed interface AcquireLeaseResult {

  /** The agent holds the lease. */
  record GrantedLease(Lease lease) implements AcquireLeaseResult {}

  /**
   * The agent waits in the queue.
   *
   * @param behind the first of the agents that hold the resource or precede it in the queue
   * @param cut whether there are more than {@code agents.leases.agents-ahead-limit} of them
   */
  record QueuedLeaseRequest(LeaseQueueEntry place, List<AgentId> behind, boolean cut)
      implements AcquireLeaseResult {
    public QueuedLeaseRequest {
      behind = List.copyOf(behind);
    }
  }

  default Optional<Lease> grantedLease() {
    return this instanceof GrantedLease(var lease) ? Optional.of(lease) : Optional.empty();
  }
}
