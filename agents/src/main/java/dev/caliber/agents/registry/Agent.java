package dev.caliber.agents.registry;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.NullableColumns;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/**
 * Registered agent.
 *
 * @param trajectory the task assigned to it
 * @param scope the scope of that task
 */
public record Agent(
    AgentId id,
    AgentProfile profile,
    AgentStatus status,
    Optional<Id> trajectory,
    Optional<Id> scope,
    Instant createdAt,
    Instant updatedAt) {

  public static final Table<Agent> TABLE =
      Table.of("agent", "Registered agents.", Agent.class, Agent::id)
          .text("type", Agent::type)
          .text("status", agent -> agent.status.name())
          .text("reports_to", agent -> NullableColumns.textOrNull(agent.profile.reportsTo()))
          .text("trajectory", agent -> NullableColumns.textOrNull(agent.trajectory))
          .index("type")
          .index("status")
          .index("reports_to")
          .index("trajectory");

  public static Agent of(AgentId id, AgentProfile agentProfile, Instant now) {
    return new Agent(
        id, agentProfile, AgentStatus.LIFE.initial(), Optional.empty(), Optional.empty(), now, now);
  }

  public String type() {
    return profile.type();
  }

  public Agent withProfile(AgentProfile other, Instant now) {
    return new Agent(id, other, status, trajectory, scope, createdAt, now);
  }

  public Agent withStatusAfter(AgentStatus.AgentTransition agentTransition, Instant now) {
    return new Agent(id, profile, status.next(agentTransition), trajectory, scope, createdAt, now);
  }

  public Agent withTask(Optional<Id> newTrajectory, Optional<Id> newScope, Instant now) {
    return new Agent(id, profile, status, newTrajectory, newScope, createdAt, now);
  }
}
