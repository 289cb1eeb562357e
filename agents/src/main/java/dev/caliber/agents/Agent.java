package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/**
 * A registered agent.
 *
 * @param trajectory the task it is at
 * @param scope the part of that task
 */
public record Agent(
    AgentId id,
    Profile profile,
    AgentStatus status,
    Optional<Id> trajectory,
    Optional<Id> scope,
    Instant createdAt,
    Instant updatedAt) {

  public static final Table<Agent> TABLE =
      Table.of("agent", "Registered agents.", Agent.class, Agent::id)
          .text("type", Agent::type)
          .text("status", agent -> agent.status.name())
          .text("reports_to", agent -> Columns.text(agent.profile.reportsTo()))
          .text("trajectory", agent -> Columns.text(agent.trajectory))
          .index("type")
          .index("status")
          .index("reports_to")
          .index("trajectory");

  static Agent registered(AgentId id, Profile profile, Instant now) {
    return new Agent(
        id, profile, AgentStatus.LIFE.initial(), Optional.empty(), Optional.empty(), now, now);
  }

  public String type() {
    return profile.type();
  }

  Agent as(Profile other, Instant now) {
    return new Agent(id, other, status, trajectory, scope, createdAt, now);
  }

  Agent moved(AgentStatus.Event event, Instant now) {
    return new Agent(id, profile, status.after(event), trajectory, scope, createdAt, now);
  }

  Agent at(Optional<Id> newTrajectory, Optional<Id> newScope, Instant now) {
    return new Agent(id, profile, status, newTrajectory, newScope, createdAt, now);
  }
}
