package dev.caliber.agents.command;

import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.Id;
import java.time.Duration;
import java.util.Optional;

/**
 * Renews a lease from now on. While other agents wait, its total duration is limited by {@code
 * agents.leases.max-duration}.
 *
 * @param length empty: as configured
 */
public record RenewLease(AgentId agent, Id id, Optional<Duration> length)
    implements AgentCommand<Lease> {
  public static RenewLease of(Lease lease) {
    return new RenewLease(lease.holder(), lease.id(), Optional.empty());
  }
}
