/**
 * What is recorded: trajectories, scopes, turns, artifacts, notes, checkpoints, policy runs and
 * traces as records with their tables. A record is changed by a {@link
 * dev.caliber.memory.record.MemoryEvent} alone, and only {@link dev.caliber.memory.record.Replay}
 * says what an event changes. Nothing here decides or reads; that is the work of {@link
 * dev.caliber.memory.Memory}'s own package.
 */
@NullMarked
package dev.caliber.memory.record;

import org.jspecify.annotations.NullMarked;
