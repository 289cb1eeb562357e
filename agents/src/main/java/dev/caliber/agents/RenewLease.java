package dev.caliber.agents;

import dev.caliber.kernel.Id;
import java.time.Duration;
import java.util.Optional;

/**
 * Prolongs a lease from now on. While others wait, it cannot be held for longer than {@code
 * agents.leases.longest} in all.
 *
 * @param length empty: as configured
 */
public record RenewLease(AgentId agent, Id lease, Optional<Duration> length)
    implements AgentCommand<Lease> {
  public static RenewLease of(Lease lease) {
    return new RenewLease(lease.holder(), lease.id(), Optional.empty());
  }
}
