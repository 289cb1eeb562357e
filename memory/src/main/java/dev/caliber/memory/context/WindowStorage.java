package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.memory.context.window.LedgerIndexEntry;
import dev.caliber.memory.context.window.Window;
import dev.caliber.store.Transaction;

/** Storage of windows, each with an index of the records it names. */
public final class WindowStorage {
  static final String HOLDER = "window";

  static final LedgerIndexBackfill UNNAMED = new LedgerIndexBackfill(HOLDER, WindowStorage::delete);

  private WindowStorage() {}

  /**
   * Saves the window, unless it names a forgotten record, even one forgotten while it was composed.
   * Returns whether it was saved.
   */
  public static boolean save(Transaction transaction, Window window) {
    boolean whole = !LedgerIndexEntry.hasForgottenRecords(transaction, window);
    if (whole) {
      transaction.put(Window.TABLE, window);
      LedgerIndexEntry.putEntry(transaction, HOLDER, window.id(), window);
    }
    return whole;
  }

  public static void delete(Transaction transaction, Id window) {
    transaction.delete(Window.TABLE, window);
    LedgerIndexEntry.deleteEntry(transaction, window);
  }
}
