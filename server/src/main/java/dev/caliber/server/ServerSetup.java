package dev.caliber.server;

import dev.caliber.agents.AgentsConfig;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.models.ModelsConfig;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchConfig;
import java.time.Clock;
import java.util.Map;

/**
 * Everything that a server is started with: the settings of each module, and dependencies from
 * outside.
 *
 * @param environment the variables that hold keys of models and of webhook secrets; nothing else is
 *     read from it
 */
public record ServerSetup(
    StoreConfig store,
    SearchConfig search,
    ModelsConfig models,
    MemoryConfig memory,
    RuntimeConfig runtime,
    AgentsConfig agents,
    ServerConfig server,
    Map<String, String> environment,
    Clock clock,
    RandomSource chance) {
  public ServerSetup {
    environment = Map.copyOf(environment);
  }

  /** Returns this setup with another store. */
  public ServerSetup withStore(StoreConfig other) {
    return new ServerSetup(
        other, search, models, memory, runtime, agents, server, environment, clock, chance);
  }

  /** Omits the environment, which holds secrets. */
  @Override
  public String toString() {
    return "Setup[store=%s, server=%s]".formatted(store, server);
  }
}
