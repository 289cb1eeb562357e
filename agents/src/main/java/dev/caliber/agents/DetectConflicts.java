package dev.caliber.agents;

import dev.caliber.kernel.Id;

/**
 * A search for conflicts in a task and all tasks below it: facts, decisions and goals that
 * contradict each other, and agents at these tasks that have waited for too long.
 *
 * @param agent who wants to know
 */
public record DetectConflicts(AgentId agent, Id trajectory) {}
