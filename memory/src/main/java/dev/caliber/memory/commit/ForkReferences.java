package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.ContinuationPoint;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.Query;
import java.util.Optional;

/**
 * References of live forks to the turns of a trajectory. A fork copies nothing: its conversation
 * begins with turns of its origin, which may itself be a fork. So retention by count removes no
 * turns that a live fork shows; retention by age and Forget do.
 */
public record ForkReferences(UnitOfWork desk) {

  /** Returns whether a live fork shows turns of this trajectory. */
  public boolean hasLiveForks(Id trajectory) {
    return !desk.view().snapshot().list(liveForkScopes(trajectory), 1).isEmpty();
  }

  /** Returns the position before which live forks show turns of this trajectory. */
  public int firstUnreferencedPosition(Id trajectory) {
    return desk
        .view()
        .snapshot()
        .list(liveForkScopes(trajectory), desk.config().limits().list())
        .stream()
        .map(Scope::continues)
        .flatMap(Optional::stream)
        .mapToInt(ContinuationPoint::before)
        .max()
        .orElse(0);
  }

  private Query<Scope> liveForkScopes(Id trajectory) {
    return Query.over(Scope.TABLE, "branch_of")
        .equal(trajectory)
        .where(scope -> !scope.trajectory().equals(trajectory) && isOfLiveFork(scope));
  }

  /**
   * Returns whether the scope belongs to a fork that has not ended, or that has live forks itself.
   */
  private boolean isOfLiveFork(Scope scope) {
    return desk.transaction()
        .find(Trajectory.TABLE, scope.trajectory())
        .filter(fork -> !fork.status().isTerminal() || hasLiveForks(fork.id()))
        .isPresent();
  }
}
