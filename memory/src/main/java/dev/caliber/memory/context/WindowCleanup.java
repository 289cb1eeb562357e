package dev.caliber.memory.context;

import dev.caliber.memory.CleanupStep;
import dev.caliber.memory.command.Swept;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.util.List;

/** Windows whose time is over go; those of before there were names are named. */
final class WindowCleanup implements CleanupStep {
  @Override
  public String name() {
    return Swept.WINDOWS;
  }

  @Override
  public Cleaned clean(Transaction transaction, int batch) {
    List<Window> expired =
        transaction
            .scan(Query.over(Window.TABLE, "expires_at").until(transaction.now()), batch)
            .records();
    expired.forEach(window -> Windows.delete(transaction, window.id()));
    boolean unnamed = name(transaction, batch);
    return new Cleaned(expired.size(), unnamed || expired.size() == batch);
  }

  private static boolean name(Transaction transaction, int batch) {
    return Windows.UNNAMED.nameSome(
        transaction,
        Query.over(Window.TABLE),
        batch,
        window -> Windows.UNNAMED.name(transaction, window.id(), window));
  }
}
