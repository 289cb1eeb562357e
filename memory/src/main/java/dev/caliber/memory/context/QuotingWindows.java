package dev.caliber.memory.context;

import static java.util.stream.Collectors.toSet;

import dev.caliber.kernel.Id;
import dev.caliber.memory.QuotingRoom;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

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
    if (!Windows.UNNAMED.areNone(transaction)) {
      Set<Id> gone = records.stream().map(record -> Id.parse(record.id())).collect(toSet());
      trajectories.forEach(id -> forget(transaction, ofTrajectory(id).where(names(gone))));
    }
    records.stream()
        .filter(record -> record.type() == EntityType.TRAJECTORY)
        .forEach(record -> forget(transaction, ofTrajectory(Id.parse(record.id()))));
  }

  private static Query<Window> ofTrajectory(Id id) {
    return Query.over(Window.TABLE, "trajectory", "assembled_at").equal(id);
  }

  private static Predicate<Window> names(Set<Id> records) {
    return window ->
        window.ledger().stream().anyMatch(line -> records.contains(line.candidate().id()));
  }

  private void forget(Transaction transaction, Query<Window> windows) {
    Optional<Page<Window>> part = Optional.of(transaction.scan(windows, page));
    while (part.isPresent()) {
      part.get().records().forEach(window -> Windows.delete(transaction, window.id()));
      part = part.get().next().map(next -> transaction.scan(windows.resume(next), page));
    }
  }
}
