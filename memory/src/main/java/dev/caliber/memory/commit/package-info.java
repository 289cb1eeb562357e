/**
 * Changes of memory: the unit of work of one commit, and the handlers of commands on trajectories,
 * scopes, turns, artifacts, notes and checkpoints. Start at {@link UnitOfWork}.
 */
@NullMarked
package dev.caliber.memory.commit;

import org.jspecify.annotations.NullMarked;
