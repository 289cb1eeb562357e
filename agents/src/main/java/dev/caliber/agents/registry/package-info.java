/**
 * Registered agents, their grants and heartbeats, and the refusals of the module. Start at {@link
 * Agent}.
 */
@NullMarked
package dev.caliber.agents.registry;

import org.jspecify.annotations.NullMarked;
