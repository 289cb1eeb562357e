/**
 * Coordination of agents: the handlers of commands, due work, clean-up, and waiting calls. Start at
 * {@link Agents}.
 */
@NullMarked
package dev.caliber.agents;

import org.jspecify.annotations.NullMarked;
