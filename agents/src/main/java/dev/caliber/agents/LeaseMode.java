package dev.caliber.agents;

/** Whether others may hold it as well. */
public enum LeaseMode {
  /** Nobody else. */
  EXCLUSIVE,
  /** Others that share it, too. */
  SHARED;

  boolean fits(LeaseMode other) {
    return this == SHARED && other == SHARED;
  }

  boolean covers(LeaseMode wanted) {
    return this == EXCLUSIVE || wanted == SHARED;
  }
}
