package dev.caliber.agents;

import dev.caliber.store.Table;
import java.time.Instant;

/** When an agent was last heard of. One that failed has none, until it is heard of again. */
record Heartbeat(AgentId agent, Instant at) {
  static final Table<Heartbeat> TABLE =
      Table.of(
              "agent_heartbeat",
              "When agents were last heard of.",
              Heartbeat.class,
              Heartbeat::agent)
          .instant("at", Heartbeat::at)
          .index("at")
          .quiet();
}
