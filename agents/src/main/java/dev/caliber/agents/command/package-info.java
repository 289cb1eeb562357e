/**
 * Commands that change shared records of agents, one closed set, with the permissions that each
 * needs. Start at {@link AgentCommand}.
 */
@NullMarked
package dev.caliber.agents.command;

import org.jspecify.annotations.NullMarked;
