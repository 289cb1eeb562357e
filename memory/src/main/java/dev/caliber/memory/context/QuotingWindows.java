package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.memory.EntityRef;
import dev.caliber.memory.QuotingRoom;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A window holds no record's text, but the query it was asked with, which often is what somebody
 * has just said. So a window that had a forgotten record among its candidates goes with it, and all
 * windows of a forgotten trajectory go.
 *
 * @param page how many windows are read at once
 */
record QuotingWindows(int page) implements QuotingRoom {

  @Override
  public void forget(
      Transaction transaction, List<EntityRef> records, Collection<Id> trajectories) {
    Set<String> gone = records.stream().map(EntityRef::id).collect(Collectors.toSet());
    for (Id trajectory : trajectories) {
      Query<Window> all = Query.over(Window.TABLE, "trajectory", "assembled_at").equal(trajectory);
      Optional<Page<Window>> windows = Optional.of(transaction.scan(all, page));
      while (windows.isPresent()) {
        windows.get().records().stream()
            .filter(window -> isTouched(window, gone))
            .forEach(window -> transaction.delete(Window.TABLE, window.id()));
        windows = windows.get().next().map(next -> transaction.scan(all.resume(next), page));
      }
    }
  }

  private static boolean isTouched(Window window, Set<String> gone) {
    return gone.contains(window.trajectory().toString())
        || window.ledger().stream()
            .anyMatch(line -> gone.contains(line.candidate().id().toString()));
  }
}
