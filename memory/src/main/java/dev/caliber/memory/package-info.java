/**
 * Memory of agents and its maintenance. Start at {@link dev.caliber.memory.Memory}; reads of one
 * snapshot are in {@link dev.caliber.memory.MemoryView}. Records are in {@code record}, commands
 * and queries in {@code command}. Here commands are handled: each class named {@code …Handler}
 * handles those of one kind, and {@code UnitOfWork} is the commit that they share. Policies,
 * retention, forgetting, recall and clean-up are here as well, because they work through the same
 * handlers.
 */
@NullMarked
package dev.caliber.memory;

import org.jspecify.annotations.NullMarked;
