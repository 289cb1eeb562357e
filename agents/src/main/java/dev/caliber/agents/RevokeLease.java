package dev.caliber.agents;

import dev.caliber.kernel.Id;

/**
 * Takes a lease away from its holder, whose writes are refused from now on. It answers the lease.
 *
 * @param by who takes it, as the trace shows it: a person or a program, not an agent
 */
public record RevokeLease(Id lease, String by) implements AgentCommand<Lease> {
  public RevokeLease {
    Names.requireFilled("who revokes", by);
  }
}
