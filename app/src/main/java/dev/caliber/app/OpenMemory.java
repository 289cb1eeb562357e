package dev.caliber.app;

import dev.caliber.agents.Agents;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.StoredConfig;
import dev.caliber.memory.spi.TokenCounter;
import java.util.Optional;

/** Memory for one command in the space of its call, with the policies that are deployed there. */
final class OpenMemory {
  private OpenMemory() {}

  /** Without an index, which nothing that is written waits for. */
  static Memory over(Workbench workbench, OpenStore store) {
    return memory(workbench, store, parts(workbench, store));
  }

  static Memory over(OpenSearch search) {
    return memory(
        search.workbench(),
        search.store(),
        parts(search.workbench(), search.store()).withSearch(search.index()));
  }

  private static Memory memory(Workbench workbench, OpenStore store, MemoryParts parts) {
    return Memory.of(store.records(), workbench.rooms().memory(), parts);
  }

  /** What memory and what is made of it are given. */
  static MemoryParts parts(Workbench workbench, OpenStore store) {
    AppConfig.Rooms rooms = workbench.rooms();
    TokenEstimate estimate = new TokenEstimate(rooms.runtime().context().bytesPerToken());
    Optional<CompiledConfig> deployed =
        Deployments.of(store.records()).active(workbench.space()).map(StoredConfig::config);
    return MemoryParts.plain(
            workbench.surroundings().clock(), rooms.runtime(), TokenCounter.estimate(estimate))
        .withPolicies(_ -> deployed)
        .withCleanup(ContextAssembler.cleanup())
        .withQuoting(ContextAssembler.quoting(rooms.memory()))
        .withQuoting(Agents.quoting());
  }
}
