package dev.caliber.memory.view;

import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.function.Consumer;

/** Budget of records that all modules together may purge in one commit. */
public final class PurgeBudget {
  private final Transaction transaction;
  private int left;

  /**
   * Creates the budget of one commit.
   *
   * @param most number of rows that may be purged
   */
  public PurgeBudget(Transaction transaction, int most) {
    this.transaction = transaction;
    this.left = most;
  }

  public Transaction transaction() {
    return transaction;
  }

  /** Deletes the rows of a query, up to the budget. */
  public <T> void remove(Table<T> table, Query<T> query) {
    each(query, row -> transaction.delete(table, table.keyOf(row)));
  }

  /** Passes rows to {@code take}, up to the budget; it must remove them from the query. */
  public <T> void each(Query<T> query, Consumer<? super T> take) {
    List<T> found = transaction.list(query, left);
    found.forEach(take);
    left -= found.size();
  }

  /** Returns whether the budget is spent, so that more rows may be left. */
  public boolean isSpent() {
    return left == 0;
  }
}
