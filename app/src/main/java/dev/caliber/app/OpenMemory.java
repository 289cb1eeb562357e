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
    return memory(workbench, store, reading(parts(workbench, store), Optional.of(models)));
  }

  static Memory over(OpenSearch search) {
    return memory(
        search.workbench(),
        search.store(),
        reading(parts(search.workbench(), search.store()), search.models())
            .withSearch(search.index()));
  }

  /** With the chat model that the configuration names, if it does, as a server has it. */
  private static MemoryParts reading(MemoryParts parts, Optional<Models> models) {
    MemoryParts summarized =
        models.flatMap(Models::summarizer).map(parts::withSummarizer).orElse(parts);
    MemoryParts looking =
        models.flatMap(Models::extractor).map(summarized::withExtractor).orElse(summarized);
    return models.flatMap(Models::judge).map(looking::withJudge).orElse(looking);
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
