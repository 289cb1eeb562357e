package dev.caliber.agents;

import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.context.ContextAssembler;
import java.time.Clock;

/**
 * What agents are given beside their store.
 *
 * @param memory in which they work, each in its own name
 * @param contexts makes the snapshot that a handoff carries
 */
public record AgentsParts(
    Clock clock,
    RuntimeConfig runtime,
    Memory memory,
    MemoryConfig memoryConfig,
    ContextAssembler contexts) {}
