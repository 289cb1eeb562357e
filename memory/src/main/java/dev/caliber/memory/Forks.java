package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Continuation;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.Query;
import java.util.Optional;

/**
 * Who still shows what a trajectory has said. A fork copies nothing: its conversation begins with
 * turns of its origin, and that origin may go on from another one. So no rule that counts takes
 * them away while the fork has not ended; an age of turns does, and so does whoever forgets.
 */
record Forks(Desk desk) {

  /** Whether a task that goes on shows what this one has said. */
  boolean areLiving(Id trajectory) {
    return !desk.view().upTo(living(trajectory), 1).isEmpty();
  }

  /** The position before which turns of this trajectory are shown by tasks that go on. */
  int shownBefore(Id trajectory) {
    return desk.view().upTo(living(trajectory), desk.config().limits().records()).stream()
        .map(Scope::continues)
        .flatMap(Optional::stream)
        .mapToInt(Continuation::before)
        .max()
        .orElse(0);
  }

  private Query<Scope> living(Id trajectory) {
    return Query.over(Scope.TABLE, "branch_of")
        .equal(trajectory)
        .where(scope -> !scope.trajectory().equals(trajectory) && isOfLiving(scope));
  }

  /** Of one that has not ended, or that such a one goes on from. */
  private boolean isOfLiving(Scope scope) {
    return desk.transaction()
        .find(Trajectory.TABLE, scope.trajectory())
        .filter(fork -> !fork.status().isTerminal() || areLiving(fork.id()))
        .isPresent();
  }
}
