package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.memory.context.window.LedgerIndexEntry;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.view.ScanProgress;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Ledgers from before {@link LedgerIndexEntry} existed. Clean-up indexes them once per space, page
 * by page; until it has finished, forgetting scans them. A ledger that names a record forgotten
 * meanwhile is deleted.
 *
 * @param holder the kind of the ledgers' holder
 * @param delete deletes a holder
 */
public record LedgerIndexBackfill(String holder, BiConsumer<Transaction, Id> delete) {

  /** Returns whether every ledger is indexed. */
  public boolean isIndexingComplete(Snapshot snapshot) {
    return ScanProgress.hasCompleted(snapshot, progressName());
  }

  /** Indexes a page of holders, unless all are indexed; returns true when there are more. */
  public <T> boolean indexPage(
      Transaction transaction, Query<T> holders, int page, Consumer<T> nameOne) {
    return !isIndexingComplete(transaction)
        && ScanProgress.scanNextPage(transaction, progressName(), holders, page, nameOne);
  }

  /** Indexes one ledger. */
  public void indexLedger(Transaction transaction, Id id, Window window) {
    if (LedgerIndexEntry.hasForgottenRecords(transaction, window)) {
      delete.accept(transaction, id);
    } else {
      LedgerIndexEntry.putEntry(transaction, holder, id, window);
    }
  }

  private String progressName() {
    return "ledgers of every " + holder;
  }
}
