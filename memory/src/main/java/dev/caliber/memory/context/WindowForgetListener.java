package dev.caliber.memory.context;

import static java.util.stream.Collectors.toSet;

import dev.caliber.kernel.Id;
import dev.caliber.memory.context.window.LedgerIndexEntry;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.view.ForgetListener;
import dev.caliber.memory.view.ForgottenRecords;
import dev.caliber.memory.view.PurgeBudget;
import dev.caliber.store.Query;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Forget listener for windows. A window contains no record's text, but its query, which often
 * repeats what a user has just said. So a window is deleted with any forgotten record among its
 * candidates, whichever trajectory it belongs to, and all windows of a forgotten trajectory are
 * deleted.
 */
final class WindowForgetListener implements ForgetListener {

  @Override
  public void purgeDerivedData(ForgottenRecords gone, PurgeBudget purgeBudget) {
    LedgerIndexEntry.purgeHolders(
        purgeBudget,
        WindowStorage.HOLDER,
        gone.records(),
        id -> WindowStorage.delete(purgeBudget.transaction(), id));
    if (!WindowStorage.UNNAMED.isIndexingComplete(purgeBudget.transaction())) {
      Set<Id> ids = gone.records().stream().map(record -> Id.parse(record.id())).collect(toSet());
      gone.trajectories()
          .forEach(id -> forget(purgeBudget, queryByTrajectory(id).where(namesAnyOf(ids))));
    }
    gone.records().stream()
        .filter(record -> record.type() == EntityType.TRAJECTORY)
        .forEach(record -> forget(purgeBudget, queryByTrajectory(Id.parse(record.id()))));
  }

  private static Query<Window> queryByTrajectory(Id id) {
    return Query.over(Window.TABLE, "trajectory", "assembled_at").equal(id);
  }

  private static Predicate<Window> namesAnyOf(Set<Id> records) {
    return window ->
        window.ledger().stream().anyMatch(line -> records.contains(line.candidate().id()));
  }

  private static void forget(PurgeBudget purgeBudget, Query<Window> windows) {
    purgeBudget.each(
        windows, window -> WindowStorage.delete(purgeBudget.transaction(), window.id()));
  }
}
