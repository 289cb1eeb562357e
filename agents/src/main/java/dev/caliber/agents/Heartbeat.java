package dev.caliber.agents;

import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/**
 * When an agent was last heard of.
 *
 * @param missedAt since when nobody waits for the next one, because the agent has failed
 */
record Heartbeat(AgentId agent, Instant at, Optional<Instant> missedAt) {
  static final Table<Heartbeat> TABLE =
      Table.of(
              "agent_heartbeat",
              "When agents were last heard of.",
              Heartbeat.class,
              Heartbeat::agent)
          .instant("at", Heartbeat::at)
          .instant("watched_at", heartbeat -> heartbeat.isWatched() ? heartbeat.at : null)
          .index("watched_at")
          .quiet();

  boolean isWatched() {
    return missedAt.isEmpty();
  }

  Heartbeat missed(Instant now) {
    return new Heartbeat(agent, at, Optional.of(now));
  }
}
