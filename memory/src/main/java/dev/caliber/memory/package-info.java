/**
 * What agents did and learned: trajectories, scopes, turns, artifacts and notes, and the policies
 * that tend them. Start at {@link dev.caliber.memory.Memory}; what is read of one snapshot is in
 * {@link dev.caliber.memory.MemoryView}.
 */
@NullMarked
package dev.caliber.memory;

import org.jspecify.annotations.NullMarked;
