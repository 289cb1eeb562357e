package dev.caliber.app;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.memory.DeployedConfigs;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryDependencies;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.StoredConfig;
import dev.caliber.models.Models;
import dev.caliber.server.Wiring;
import java.util.Optional;

/** Creates the memory of one command in its space, with the policies deployed there. */
final class MemoryFactory {
  private MemoryFactory() {}

  /** Creates a memory without an index, for commands that only write. */
  static Memory create(CommandContext commandContext, OpenStore store, Models models) {
    return createWith(
        commandContext, store, Wiring.withChatModels(memoryParts(commandContext, store), models));
  }

  static Memory create(OpenIndex search) {
    MemoryDependencies parts = memoryParts(search.workbench(), search.store());
    return createWith(
        search.workbench(),
        search.store(),
        search
            .models()
            .map(models -> Wiring.withChatModels(parts, models))
            .orElse(parts)
            .withSearch(search.index()));
  }

  private static Memory createWith(
      CommandContext commandContext, OpenStore store, MemoryDependencies parts) {
    return Memory.of(store.records(), commandContext.configs().memory(), parts);
  }

  /** Returns what the memory depends on. */
  static MemoryDependencies memoryParts(CommandContext commandContext, OpenStore store) {
    AppConfig.ModuleConfigs moduleConfigs = commandContext.configs();
    Deployments deployments = Deployments.of(store.records());
    Optional<CompiledConfig> deployed =
        deployments.active(commandContext.space()).map(StoredConfig::config);
    return Wiring.memoryDependencies(
        commandContext.environment().clock(),
        moduleConfigs.runtime(),
        moduleConfigs.agents(),
        DeployedConfigs.of(
            _ -> deployed,
            (snapshot, time) -> deployments.active(snapshot, time).map(StoredConfig::config)));
  }
}
