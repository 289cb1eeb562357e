/**
 * Leases on resources: queue, fences, and the graph of agents that wait for each other. Start at
 * {@link Lease}.
 */
@NullMarked
package dev.caliber.agents.lease;

import org.jspecify.annotations.NullMarked;
