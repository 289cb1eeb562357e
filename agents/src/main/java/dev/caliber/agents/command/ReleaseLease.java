package dev.caliber.agents.command;

import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.Id;

/** Releases a lease; returns false if it had ended already. */
public record ReleaseLease(AgentId agent, Id id) implements AgentCommand<Boolean> {
  public static ReleaseLease of(Lease lease) {
    return new ReleaseLease(lease.holder(), lease.id());
  }
}
