package dev.caliber.memory;

import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.Optional;
import java.util.function.Consumer;

/** Budget of records that all modules together may purge in one commit. */
public final class PurgeBudget {
  private final Transaction transaction;
  private final int page;
  private int left;

  /**
   * Creates the budget of one commit.
   *
   * @param page number of rows that are read at once
   * @param most number of rows that may be purged
   */
  public PurgeBudget(Transaction transaction, int page, int most) {
    this.transaction = transaction;
    this.page = page;
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
    Optional<Query<T>> rest = Optional.of(query);
    while (rest.isPresent() && left > 0) {
      Page<T> found = transaction.scan(rest.get(), Math.min(page, left));
      found.records().forEach(take);
      left -= found.records().size();
      rest = found.next().map(query::resume);
    }
  }

  /** Returns whether the budget is spent, so that more rows may be left. */
  public boolean isSpent() {
    return left == 0;
  }
}
