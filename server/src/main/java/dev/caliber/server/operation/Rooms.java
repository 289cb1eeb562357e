package dev.caliber.server.operation;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.deployment.ActiveConfigs;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.pcp.Guardian;
import dev.caliber.store.RecordStore;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.spi.Embedder;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The rooms that operations are about.
 *
 * @param embedder without one, recall goes by words
 * @param asking whether a chat model has its say before some commits
 */
public record Rooms(
    RecordStore store,
    Memory memory,
    MemoryConfig memoryConfig,
    ContextAssembler assembler,
    Deployments deployments,
    ActiveConfigs active,
    SearchIndex index,
    Optional<Embedder> embedder,
    boolean asking,
    Guardian guardian,
    Agents agents,
    AgentsConfig agentsConfig,
    InstantSource clock) {

  /** Whether recall goes by more than words. */
  boolean hasMeaning() {
    return embedder.isPresent();
  }

  /** Whether a model that searches need is there. */
  public boolean hasModel() {
    return embedder.map(Embedder::isReady).orElse(true);
  }
}
