package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.store.Transaction;

/** Windows that are kept, each with the records it names. */
public final class Windows {
  static final String HOLDER = "window";

  static final UnnamedLedgers UNNAMED = new UnnamedLedgers(HOLDER, Windows::delete);

  private Windows() {}

  public static Window put(Transaction transaction, Window window) {
    transaction.put(Window.TABLE, window);
    NamedRecords.put(transaction, HOLDER, window.id(), window);
    return window;
  }

  static void delete(Transaction transaction, Id window) {
    transaction.delete(Window.TABLE, window);
    NamedRecords.delete(transaction, window);
  }
}
