/** Conflicts between records or agents, and their resolution. Start at {@link Conflict}. */
@NullMarked
package dev.caliber.agents.conflict;

import org.jspecify.annotations.NullMarked;
