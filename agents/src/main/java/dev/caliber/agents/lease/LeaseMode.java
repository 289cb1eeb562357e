package dev.caliber.agents.lease;

/** Mode of a lease. */
public enum LeaseMode {
  /** No other agent may hold the resource. */
  EXCLUSIVE,
  /** Agents in shared mode may hold the resource together. */
  SHARED;

  boolean isCompatibleWith(LeaseMode other) {
    return this == SHARED && other == SHARED;
  }

  boolean covers(LeaseMode wanted) {
    return this == EXCLUSIVE || wanted == SHARED;
  }
}
