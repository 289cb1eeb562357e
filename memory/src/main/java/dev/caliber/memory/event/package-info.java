/**
 * Events of memory: the effect of each on the records, its trace and its notices. Start at {@link
 * MemoryEvent}.
 */
@NullMarked
package dev.caliber.memory.event;

import org.jspecify.annotations.NullMarked;
