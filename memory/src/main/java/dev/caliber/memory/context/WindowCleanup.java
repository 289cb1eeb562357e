package dev.caliber.memory.context;

import dev.caliber.memory.command.CleanupResult;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.view.CleanupStep;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.util.List;

/** Deletes expired windows, and indexes the ledgers of windows from before the index existed. */
final class WindowCleanup implements CleanupStep {
  @Override
  public String name() {
    return CleanupResult.WINDOWS;
  }

  @Override
  public CleanupProgress clean(Transaction transaction, int batch) {
    List<Window> expired =
        transaction.list(Query.over(Window.TABLE, "expires_at").until(transaction.now()), batch);
    expired.forEach(window -> WindowStorage.delete(transaction, window.id()));
    boolean unnamed = indexLedgers(transaction, batch);
    return new CleanupProgress(expired.size(), unnamed || expired.size() == batch);
  }

  private static boolean indexLedgers(Transaction transaction, int batch) {
    return WindowStorage.UNNAMED.indexPage(
        transaction,
        Query.over(Window.TABLE),
        batch,
        window -> WindowStorage.UNNAMED.indexLedger(transaction, window.id(), window));
  }
}
