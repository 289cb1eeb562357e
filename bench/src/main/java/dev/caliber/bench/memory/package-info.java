/** Measurements of memory, agents, context and language. Start at {@link MemoryBench}. */
@NullMarked
package dev.caliber.bench.memory;

import org.jspecify.annotations.NullMarked;
