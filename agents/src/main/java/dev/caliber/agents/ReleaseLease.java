package dev.caliber.agents;

import dev.caliber.kernel.Id;

/** Gives a lease back: true once, false when it was gone already. */
public record ReleaseLease(AgentId agent, Id lease) implements AgentCommand<Boolean> {
  public static ReleaseLease of(Lease lease) {
    return new ReleaseLease(lease.holder(), lease.id());
  }
}
