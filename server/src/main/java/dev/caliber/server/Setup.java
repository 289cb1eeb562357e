package dev.caliber.server;

import dev.caliber.agents.AgentsConfig;
import dev.caliber.kernel.Chance;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.models.ModelsConfig;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchConfig;
import java.time.Clock;
import java.util.Map;

/**
 * Everything that a server is told: each room's settings, and what comes from outside.
 *
 * @param environment where keys are, of models and of webhook secrets; nothing else is read from it
 */
public record Setup(
    StoreConfig store,
    SearchConfig search,
    ModelsConfig models,
    MemoryConfig memory,
    RuntimeConfig runtime,
    AgentsConfig agents,
    ServerConfig server,
    Map<String, String> environment,
    Clock clock,
    Chance chance) {
  public Setup {
    environment = Map.copyOf(environment);
  }

  /** The same over another store. */
  public Setup over(StoreConfig other) {
    return new Setup(
        other, search, models, memory, runtime, agents, server, environment, clock, chance);
  }

  /** Without the environment, which holds secrets. */
  @Override
  public String toString() {
    return "Setup[store=%s, server=%s]".formatted(store, server);
  }
}
