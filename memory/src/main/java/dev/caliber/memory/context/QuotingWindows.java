package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.memory.QuotingRoom;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.util.Collection;
import java.util.List;

/**
 * A window holds no record's text, but the query it was asked with, which often is what somebody
 * has just said. So a window that had a forgotten record among its candidates goes with it,
 * whichever trajectory it was made for, and all windows of a forgotten trajectory go.
 *
 * @param page how many windows are read at once
 */
record QuotingWindows(int page) implements QuotingRoom {

  @Override
  public void forget(
      Transaction transaction, List<EntityRef> records, Collection<Id> trajectories) {
    NamedRecords.find(
        transaction, Windows.HOLDER, records, page, id -> Windows.delete(transaction, id));
    records.stream()
        .filter(record -> record.type() == EntityType.TRAJECTORY)
        .forEach(record -> forget(transaction, Id.parse(record.id())));
  }

  private void forget(Transaction transaction, Id trajectory) {
    Query<Window> all = Query.over(Window.TABLE, "trajectory", "assembled_at").equal(trajectory);
    List<Window> found = transaction.scan(all, page).records();
    while (!found.isEmpty()) {
      found.forEach(window -> Windows.delete(transaction, window.id()));
      found = transaction.scan(all, page).records();
    }
  }
}
