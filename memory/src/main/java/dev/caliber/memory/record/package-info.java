/**
 * Records of memory with their tables: trajectories, scopes, turns, artifacts, notes, checkpoints,
 * policy runs and traces. Only a {@link dev.caliber.memory.record.MemoryEvent} changes a record,
 * and only {@link dev.caliber.memory.record.MemoryEventApplier} knows how. Decisions and reads are
 * in the package of {@link dev.caliber.memory.Memory}.
 */
@NullMarked
package dev.caliber.memory.record;

import org.jspecify.annotations.NullMarked;
