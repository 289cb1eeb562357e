package dev.caliber.agents.lease;

import dev.caliber.agents.registry.AgentId;

/** Lease request, queued or about to be. */
public record LeaseRequest(AgentId agent, Resource resource, LeaseMode mode) {
  public static LeaseRequest of(LeaseQueueEntry wait) {
    return new LeaseRequest(wait.agent(), wait.resource(), wait.mode());
  }

  @Override
  public String toString() {
    return "%s waits for %s".formatted(agent, resource);
  }
}
