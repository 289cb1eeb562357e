package dev.caliber.memory.context;

import dev.caliber.memory.CleanupStep;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.util.List;

/** Windows whose time is over. */
final class ExpiredWindows implements CleanupStep {
  @Override
  public String name() {
    return "expired windows";
  }

  @Override
  public boolean clean(Transaction transaction, int batch) {
    List<Window> expired =
        transaction
            .scan(Query.over(Window.TABLE, "expires_at").until(transaction.now()), batch)
            .records();
    expired.forEach(window -> Windows.delete(transaction, window.id()));
    return expired.size() == batch;
  }
}
