package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How far a walk over all records of a table has come, one page in a commit. What is restored or
 * imported was not walked over: with it every walk begins anew.
 *
 * @param place where it goes on; empty at the beginning
 * @param ended whether it has been to the end once
 * @param epoch the content of the space that it walks over
 */
public record Walk(
    Id id, String name, Optional<PageCursor> place, boolean ended, Optional<Long> epoch) {

  static final Table<Walk> TABLE =
      Table.of("walk", "How far walks over whole tables have come.", Walk.class, Walk::id)
          .text("name", Walk::name)
          .flag("ended", Walk::ended)
          .quiet();

  private static Walk of(Snapshot snapshot, String name) {
    Id id = Id.deterministic("walk", name);
    Optional<Long> epoch = Optional.of(snapshot.epoch());
    return snapshot
        .find(TABLE, id)
        .filter(walk -> walk.epoch.equals(epoch))
        .orElseGet(() -> new Walk(id, name, Optional.empty(), false, epoch));
  }

  /** Whether it has been to the end once. */
  public static boolean hasEnded(Snapshot snapshot, String name) {
    return of(snapshot, name).ended;
  }

  /** Looks at the next page; false at the end, and the page after that is the first again. */
  public static <T> boolean goOn(
      Transaction transaction, String name, Query<T> query, int page, Consumer<T> look) {
    Walk walk = of(transaction, name);
    Page<T> part = transaction.scan(walk.place.map(query::resume).orElse(query), page);
    part.records().forEach(look);
    boolean ended = walk.ended || part.next().isEmpty();
    Walk next = new Walk(walk.id, name, part.next(), ended, walk.epoch);
    if (!next.equals(walk)) {
      transaction.put(TABLE, next);
    }
    return part.next().isPresent();
  }
}
