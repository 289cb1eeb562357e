package dev.caliber.agents.command;

import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.registry.InputChecks;
import dev.caliber.kernel.Id;

/**
 * Revokes a lease, so that its holder's fenced writes are refused from now on. Returns the lease.
 *
 * @param by the person or program that revokes it, for the trace; not an agent
 */
public record RevokeLease(Id lease, String by) implements AgentCommand<Lease> {
  public RevokeLease {
    InputChecks.requireText("requester of a revocation", by);
  }
}
