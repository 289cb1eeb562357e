package dev.caliber.agents.registry;

import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/**
 * Last heartbeat of an agent.
 *
 * @param missedAt when the agent failed, since when no heartbeat is expected
 */
public record Heartbeat(AgentId agent, Instant at, Optional<Instant> missedAt) {
  public static final Table<Heartbeat> TABLE =
      Table.of("agent_heartbeat", "Last heartbeats of agents.", Heartbeat.class, Heartbeat::agent)
          .instant("at", Heartbeat::at)
          .instant("watched_at", heartbeat -> heartbeat.isWatched() ? heartbeat.at : null)
          .index("watched_at")
          .withoutFeed();

  public boolean isWatched() {
    return missedAt.isEmpty();
  }

  public Heartbeat withMissedAt(Instant now) {
    return new Heartbeat(agent, at, Optional.of(now));
  }
}
