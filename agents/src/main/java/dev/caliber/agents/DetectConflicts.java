package dev.caliber.agents;

import dev.caliber.kernel.Id;
import java.util.List;

/**
 * A search for conflicts in a task and all tasks below it: facts, decisions and goals that
 * contradict each other, and agents at these tasks that have waited for too long.
 *
 * @param agent who wants to know
 */
public record DetectConflicts(AgentId agent, Id trajectory) {

  /**
   * What is open: what was found first, then the rest of the task's.
   *
   * @param cut whether there may be more: than {@code agents.tending.list}, of which all are
   *     written; or among what was not compared
   * @param uncompared facts, decisions and goals that were not held against others, as there were
   *     more than {@code agents.work.compared}: the oldest
   */
  public record Found(List<Conflict> conflicts, boolean cut, int uncompared) {
    public Found {
      conflicts = List.copyOf(conflicts);
    }
  }
}
