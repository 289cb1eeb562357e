package dev.caliber.agents.command;

import dev.caliber.agents.lease.LeaseMode;
import dev.caliber.agents.lease.LeaseRequest;
import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.registry.AgentId;
import java.time.Duration;
import java.util.Optional;

/**
 * Requests a lease, optionally with a place in the queue. Repeating the request renews a lease that
 * the agent holds, or keeps its place in the queue.
 *
 * @param length duration of the lease unless it is renewed; empty: as configured
 * @param queued whether to wait in the queue when other agents are first
 */
public record AcquireLease(
    AgentId agent, Resource resource, LeaseMode mode, Optional<Duration> length, boolean queued)
    implements AgentCommand<AcquireLeaseResult> {

  public static AcquireLease exclusive(AgentId agent, Resource resource) {
    return new AcquireLease(agent, resource, LeaseMode.EXCLUSIVE, Optional.empty(), false);
  }

  public static AcquireLease shared(AgentId agent, Resource resource) {
    return new AcquireLease(agent, resource, LeaseMode.SHARED, Optional.empty(), false);
  }

  public LeaseRequest request() {
    return new LeaseRequest(agent, resource, mode);
  }

  public AcquireLease withDuration(Duration newLength) {
    return new AcquireLease(agent, resource, mode, Optional.of(newLength), queued);
  }

  public AcquireLease withQueueing() {
    return new AcquireLease(agent, resource, mode, length, true);
  }
}
