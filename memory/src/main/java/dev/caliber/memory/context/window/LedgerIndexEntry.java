package dev.caliber.memory.context.window;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.memory.view.PurgeBudget;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Compact index of the records that a saved ledger names, so that forgetting a record finds the
 * ledger without reading every other one. A window may name records of any trajectory: notes are
 * shared, and forks and children show records of others.
 *
 * @param id of the ledger's holder
 * @param holder the kind of the holder
 * @param marks half of the id of each record
 */
public record LedgerIndexEntry(Id id, String holder, Bytes marks) {

  public static final Table<LedgerIndexEntry> TABLE =
      Table.of(
              "named_records",
              "Index of the records that the ledgers of windows and checkpoints name.",
              LedgerIndexEntry.class,
              LedgerIndexEntry::id)
          .text("holder", LedgerIndexEntry::holder)
          .index("holder")
          .withoutFeed();

  /** Inserts the index entry of a newly saved ledger. */
  public static void putEntry(Transaction transaction, String holder, Id id, Window window) {
    transaction.put(TABLE, new LedgerIndexEntry(id, holder, recordMarks(window)));
  }

  /** Returns whether a record of the window was forgotten, even while the window was composed. */
  public static boolean hasForgottenRecords(Snapshot snapshot, Window window) {
    List<Id> named = window.ledger().stream().map(line -> line.candidate().id()).toList();
    return !snapshot.findAll(Tombstone.TABLE, named).isEmpty();
  }

  /** Deletes the index entry of a deleted ledger. */
  public static void deleteEntry(Transaction transaction, Id id) {
    transaction.delete(TABLE, id);
  }

  /**
   * Deletes holders of this kind whose ledgers name one of the records, within the purge budget.
   */
  public static void purgeHolders(
      PurgeBudget purgeBudget, String holder, Collection<EntityRef> records, Consumer<Id> take) {
    Set<Long> wanted =
        records.stream().map(record -> mark(Id.parse(record.id()))).collect(Collectors.toSet());
    purgeBudget.each(
        Query.over(TABLE, "holder").equal(holder).where(named -> named.containsAny(wanted)),
        named -> take.accept(named.id()));
  }

  private static Bytes recordMarks(Window window) {
    List<Long> marks =
        window.ledger().stream().map(line -> mark(line.candidate().id())).distinct().toList();
    ByteBuffer bytes = ByteBuffer.allocate(marks.size() * Long.BYTES);
    marks.forEach(bytes::putLong);
    return Bytes.of(bytes.array());
  }

  /** Returns the random half of the id. */
  private static long mark(Id id) {
    return id.low();
  }

  private boolean containsAny(Set<Long> wanted) {
    LongBuffer own = ByteBuffer.wrap(marks.toArray()).asLongBuffer();
    while (own.hasRemaining()) {
      if (wanted.contains(own.get())) {
        return true;
      }
    }
    return false;
  }
}
