package dev.caliber.agents;

import dev.caliber.kernel.Id;
import java.util.List;

/**
 * Looks for conflicts in a task and its parts: facts, decisions and goals that contradict each
 * other, and places in queues that are stuck. It answers those that are open.
 */
public record DetectConflicts(AgentId agent, Id trajectory)
    implements AgentCommand<List<Conflict>> {}
