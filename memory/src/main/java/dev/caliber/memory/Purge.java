package dev.caliber.memory;

import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.Optional;
import java.util.function.Consumer;

/** What one commit may still take of what quotes the forgotten: so much in all rooms together. */
public final class Purge {
  private final Transaction transaction;
  private final int page;
  private int left;

  /**
   * Over one commit.
   *
   * @param page how many rows are read at once
   * @param most how many of them may be taken
   */
  public Purge(Transaction transaction, int page, int most) {
    this.transaction = transaction;
    this.page = page;
    this.left = most;
  }

  public Transaction transaction() {
    return transaction;
  }

  /** Removes what is found, as far as it may. */
  public <T> void remove(Table<T> table, Query<T> query) {
    each(query, row -> transaction.delete(table, table.keyOf(row)));
  }

  /** Takes what is found in another way, as far as it may: it must not be found again. */
  public <T> void each(Query<T> query, Consumer<? super T> take) {
    Optional<Query<T>> rest = Optional.of(query);
    while (rest.isPresent() && left > 0) {
      Page<T> found = transaction.scan(rest.get(), Math.min(page, left));
      found.records().forEach(take);
      left -= found.records().size();
      rest = found.next().map(query::resume);
    }
  }

  /** Whether nothing more may go, so that there may be more. */
  public boolean isSpent() {
    return left == 0;
  }
}
