package dev.caliber.memory.view;

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
 * Position of a scan over a whole table, one page in a commit. A restore or import changes the
 * epoch, so that every scan starts again.
 *
 * @param place cursor of the next page; empty at the start
 * @param ended whether the scan has reached the end once
 * @param epoch epoch of the space's content
 */
public record ScanProgress(
    Id id, String name, Optional<PageCursor> place, boolean ended, Optional<Long> epoch) {

  static final Table<ScanProgress> TABLE =
      Table.of(
              "walk", "Positions of scans over whole tables.", ScanProgress.class, ScanProgress::id)
          .text("name", ScanProgress::name)
          .flag("ended", ScanProgress::ended)
          .withoutFeed();

  private static ScanProgress currentProgress(Snapshot snapshot, String name) {
    Id id = Id.derivedFrom("walk", name);
    Optional<Long> epoch = Optional.of(snapshot.epoch());
    return snapshot
        .find(TABLE, id)
        .filter(scanProgress -> scanProgress.epoch.equals(epoch))
        .orElseGet(() -> new ScanProgress(id, name, Optional.empty(), false, epoch));
  }

  /** Returns whether the scan has reached the end once. */
  public static boolean hasCompleted(Snapshot snapshot, String name) {
    return currentProgress(snapshot, name).ended;
  }

  /** Scans the next page; false at the end, after which the scan starts again. */
  public static <T> boolean scanNextPage(
      Transaction transaction, String name, Query<T> query, int page, Consumer<T> look) {
    ScanProgress scanProgress = currentProgress(transaction, name);
    Page<T> part = transaction.scan(scanProgress.place.map(query::resume).orElse(query), page);
    part.records().forEach(look);
    boolean ended = scanProgress.ended || part.next().isEmpty();
    ScanProgress next =
        new ScanProgress(scanProgress.id, name, part.next(), ended, scanProgress.epoch);
    if (!next.equals(scanProgress)) {
      transaction.put(TABLE, next);
    }
    return part.next().isPresent();
  }
}
