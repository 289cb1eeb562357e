package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.store.Transaction;

/** Windows that are kept, each with the records it names. */
public final class Windows {
  static final String HOLDER = "window";

  static final UnnamedLedgers UNNAMED = new UnnamedLedgers(HOLDER, Windows::delete);

  private Windows() {}

  /**
   * Keeps it, unless it names what was forgotten, be it while it was made: that is in no window,
   * whoever keeps it. Says whether it did.
   */
  public static boolean keep(Transaction transaction, Window window) {
    boolean whole = !NamedRecords.areForgotten(transaction, window);
    if (whole) {
      transaction.put(Window.TABLE, window);
      NamedRecords.put(transaction, HOLDER, window.id(), window);
    }
    return whole;
  }

  static void delete(Transaction transaction, Id window) {
    transaction.delete(Window.TABLE, window);
    NamedRecords.delete(transaction, window);
  }
}
