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
import java.time.InstantSource;

/**
 * The rooms that operations are about.
 *
 * @param meaning whether there is an embedding model, so that recall goes by more than words
 */
public record Rooms(
    RecordStore store,
    Memory memory,
    MemoryConfig memoryConfig,
    ContextAssembler assembler,
    Deployments deployments,
    ActiveConfigs active,
    SearchIndex index,
    boolean meaning,
    Guardian guardian,
    Agents agents,
    AgentsConfig agentsConfig,
    InstantSource clock) {}
