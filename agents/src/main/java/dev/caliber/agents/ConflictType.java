package dev.caliber.agents;

/** In which way two things do not go together. */
public enum ConflictType {
  CONCURRENT_WRITE,
  CONTRADICTING_FACT,
  INCOMPATIBLE_DECISION,
  RESOURCE_CONTENTION,
  GOAL_CONFLICT
}
