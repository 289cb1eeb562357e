/**
 * Coordination of agents: registry, leases, messages, delegations, handoffs and conflicts. Start at
 * {@link dev.caliber.agents.Agents}; reads from one snapshot are in {@link
 * dev.caliber.agents.AgentsView}.
 */
@NullMarked
package dev.caliber.agents;

import org.jspecify.annotations.NullMarked;
