package dev.caliber.server.operation;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.deployment.ActiveConfigs;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.pcp.ContextIntegrity;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.RecordStore;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.spi.Embedder;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The modules that operations use.
 *
 * @param embedder without one, recall compares words only
 * @param hasChatModel whether a chat model is called before some commits
 */
public record ServerModules(
    RecordStore store,
    Memory memory,
    MemoryConfig memoryConfig,
    ContextAssembler assembler,
    Deployments deployments,
    ActiveConfigs activeConfigs,
    SearchIndex index,
    Optional<Embedder> embedder,
    boolean hasChatModel,
    ContextIntegrity guardian,
    Agents agents,
    AgentsConfig agentsConfig,
    InstantSource clock) {

  /** Returns whether recall compares meaning, too. */
  boolean hasSemanticSearch() {
    return embedder.isPresent();
  }

  /** Returns whether the model that searches need is loaded. */
  public boolean hasSearchModel() {
    return embedder.map(Embedder::isReady).orElse(true);
  }
}
