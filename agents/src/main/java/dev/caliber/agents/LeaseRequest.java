package dev.caliber.agents;

/** Lease request, queued or about to be. */
record LeaseRequest(AgentId agent, Resource resource, LeaseMode mode) {
  static LeaseRequest of(LeaseQueueEntry wait) {
    return new LeaseRequest(wait.agent(), wait.resource(), wait.mode());
  }

  @Override
  public String toString() {
    return "%s waits for %s".formatted(agent, resource);
  }
}
