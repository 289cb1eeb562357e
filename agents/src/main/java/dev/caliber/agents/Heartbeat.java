package dev.caliber.agents;

import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/**
 * Last heartbeat of an agent.
 *
 * @param missedAt when the agent failed, since when no heartbeat is expected
 */
record Heartbeat(AgentId agent, Instant at, Optional<Instant> missedAt) {
  static final Table<Heartbeat> TABLE =
      Table.of("agent_heartbeat", "Last heartbeats of agents.", Heartbeat.class, Heartbeat::agent)
          .instant("at", Heartbeat::at)
          .instant("watched_at", heartbeat -> heartbeat.isWatched() ? heartbeat.at : null)
          .index("watched_at")
          .withoutFeed();

  boolean isWatched() {
    return missedAt.isEmpty();
  }

  Heartbeat withMissedAt(Instant now) {
    return new Heartbeat(agent, at, Optional.of(now));
  }
}
