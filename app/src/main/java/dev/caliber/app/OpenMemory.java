package dev.caliber.app;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.memory.DeployedConfigs;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.StoredConfig;
import dev.caliber.models.Models;
import dev.caliber.server.Wiring;
import java.util.Optional;

/** Memory for one command in the space of its call, with the policies that are deployed there. */
final class OpenMemory {
  private OpenMemory() {}

  /** Without an index, which nothing that is written waits for. */
  static Memory over(Workbench workbench, OpenStore store, Models models) {
    return memory(workbench, store, Wiring.reading(parts(workbench, store), models));
  }

  static Memory over(OpenSearch search) {
    MemoryParts parts = parts(search.workbench(), search.store());
    return memory(
        search.workbench(),
        search.store(),
        search
            .models()
            .map(models -> Wiring.reading(parts, models))
            .orElse(parts)
            .withSearch(search.index()));
  }

  private static Memory memory(Workbench workbench, OpenStore store, MemoryParts parts) {
    return Memory.of(store.records(), workbench.rooms().memory(), parts);
  }

  /** What memory and what is made of it are given. */
  static MemoryParts parts(Workbench workbench, OpenStore store) {
    AppConfig.Rooms rooms = workbench.rooms();
    Deployments deployments = Deployments.of(store.records());
    Optional<CompiledConfig> deployed =
        deployments.active(workbench.space()).map(StoredConfig::config);
    return Wiring.parts(
        workbench.surroundings().clock(),
        rooms.runtime(),
        rooms.agents(),
        DeployedConfigs.of(
            _ -> deployed,
            (snapshot, time) -> deployments.active(snapshot, time).map(StoredConfig::config)));
  }
}
