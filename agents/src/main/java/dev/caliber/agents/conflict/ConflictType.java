package dev.caliber.agents.conflict;

/** Kind of a conflict. */
public enum ConflictType {
  CONCURRENT_WRITE,
  CONTRADICTING_FACT,
  INCOMPATIBLE_DECISION,
  RESOURCE_CONTENTION,
  GOAL_CONFLICT
}
