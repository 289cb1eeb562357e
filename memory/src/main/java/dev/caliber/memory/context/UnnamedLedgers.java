package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.memory.Walk;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Ledgers that were kept before there were {@link NamedRecords}. Clean-up names them, page by page
 * and once in the life of a space's content; until then, whoever forgets looks into them. One that
 * names what was forgotten meanwhile goes.
 *
 * @param holder what holds the ledgers
 * @param delete takes one away
 */
public record UnnamedLedgers(String holder, BiConsumer<Transaction, Id> delete) {

  /** Whether every ledger is named. */
  public boolean areNone(Snapshot snapshot) {
    return Walk.hasEnded(snapshot, walk());
  }

  /** Looks at a page of holders, unless all are named; true when there is more. */
  public <T> boolean nameSome(
      Transaction transaction, Query<T> holders, int page, Consumer<T> nameOne) {
    return !areNone(transaction) && Walk.goOn(transaction, walk(), holders, page, nameOne);
  }

  /** Names one. */
  public void name(Transaction transaction, Id id, Window window) {
    if (NamedRecords.areForgotten(transaction, window)) {
      delete.accept(transaction, id);
    } else {
      NamedRecords.put(transaction, holder, id, window);
    }
  }

  private String walk() {
    return "ledgers of every " + holder;
  }
}
