package dev.caliber.agents.command;

import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.kernel.Id;
import java.util.List;

/**
 * Search for conflicts in a task and its descendants: facts, decisions and goals that contradict
 * each other, and agents of these tasks that have waited too long.
 *
 * @param agent the requesting agent
 */
public record DetectConflicts(AgentId agent, Id trajectory) {

  /**
   * Open conflicts of the task, those found by this search first.
   *
   * @param cut whether there may be more: beyond {@code agents.maintenance.list-limit}, all of
   *     which are recorded, or among the records that were not compared
   * @param uncompared number of the oldest facts, decisions and goals that were not compared, being
   *     beyond {@code agents.work.conflict-search-records}
   */
  public record DetectConflictsResult(List<Conflict> conflicts, boolean cut, int uncompared) {
    public DetectConflictsResult {
      conflicts = List.copyOf(conflicts);
    }
  }
}
