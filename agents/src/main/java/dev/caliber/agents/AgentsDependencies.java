package dev.caliber.agents;

import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.view.MemoryConfig;
import java.time.Clock;

/**
 * Dependencies of agents besides their store.
 *
 * @param memory the memory in which they work
 * @param contexts assembles the snapshot of a handoff
 */
public record AgentsDependencies(
    Clock clock,
    RuntimeConfig runtime,
    Memory memory,
    MemoryConfig memoryConfig,
    ContextAssembler contexts) {}
