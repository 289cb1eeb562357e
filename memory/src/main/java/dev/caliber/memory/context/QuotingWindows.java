package dev.caliber.memory.context;

import static java.util.stream.Collectors.toSet;

import dev.caliber.kernel.Id;
import dev.caliber.memory.Purge;
import dev.caliber.memory.Quoted;
import dev.caliber.memory.QuotingRoom;
import dev.caliber.memory.record.EntityType;
import dev.caliber.store.Query;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A window holds no record's text, but the query it was asked with, which often is what somebody
 * has just said. So a window that had a forgotten record among its candidates goes with it,
 * whichever trajectory it was made for, and all windows of a forgotten trajectory go.
 */
final class QuotingWindows implements QuotingRoom {

  @Override
  public void forget(Quoted gone, Purge purge) {
    NamedRecords.purge(
        purge, Windows.HOLDER, gone.records(), id -> Windows.delete(purge.transaction(), id));
    if (!Windows.UNNAMED.areNone(purge.transaction())) {
      Set<Id> ids = gone.records().stream().map(record -> Id.parse(record.id())).collect(toSet());
      gone.trajectories().forEach(id -> forget(purge, ofTrajectory(id).where(names(ids))));
    }
    gone.records().stream()
        .filter(record -> record.type() == EntityType.TRAJECTORY)
        .forEach(record -> forget(purge, ofTrajectory(Id.parse(record.id()))));
  }

  private static Query<Window> ofTrajectory(Id id) {
    return Query.over(Window.TABLE, "trajectory", "assembled_at").equal(id);
  }

  private static Predicate<Window> names(Set<Id> records) {
    return window ->
        window.ledger().stream().anyMatch(line -> records.contains(line.candidate().id()));
  }

  private static void forget(Purge purge, Query<Window> windows) {
    purge.each(windows, window -> Windows.delete(purge.transaction(), window.id()));
  }
}
