/**
 * Agents that work together: who there is, who holds what, what they tell and hand each other, and
 * where they disagree. Start at {@link dev.caliber.agents.Agents}; what is read of one snapshot is
 * in {@link dev.caliber.agents.AgentsView}.
 */
@NullMarked
package dev.caliber.agents;

import org.jspecify.annotations.NullMarked;
