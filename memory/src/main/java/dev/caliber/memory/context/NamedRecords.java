package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.memory.Purge;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Tombstone;
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
 * Which records a kept ledger names, in a few bytes, so that whoever forgets one of them finds the
 * ledger without reading every other. A window names records of any trajectory: notes are
 * everybody's, and forks and children show what others have said.
 *
 * @param id of what holds the ledger
 * @param holder what that is
 * @param marks half of the id of each record
 */
public record NamedRecords(Id id, String holder, Bytes marks) {

  static final Table<NamedRecords> TABLE =
      Table.of(
              "named_records",
              "Which records the ledgers of windows and checkpoints name.",
              NamedRecords.class,
              NamedRecords::id)
          .text("holder", NamedRecords::holder)
          .index("holder")
          .quiet();

  /** Says what the ledger names that has just been kept. */
  public static void put(Transaction transaction, String holder, Id id, Window window) {
    transaction.put(TABLE, new NamedRecords(id, holder, marks(window)));
  }

  /** Whether one of the records of a window was forgotten, be it while the window was made. */
  public static boolean areForgotten(Snapshot snapshot, Window window) {
    List<Id> named = window.ledger().stream().map(line -> line.candidate().id()).toList();
    return !snapshot.findAll(Tombstone.TABLE, named).isEmpty();
  }

  /** The ledger is gone. */
  public static void delete(Transaction transaction, Id id) {
    transaction.delete(TABLE, id);
  }

  /** Takes the holders of this kind whose ledgers name one of the records, as far as it may. */
  public static void purge(
      Purge purge, String holder, Collection<EntityRef> records, Consumer<Id> take) {
    Set<Long> wanted =
        records.stream().map(record -> mark(Id.parse(record.id()))).collect(Collectors.toSet());
    purge.each(
        Query.over(TABLE, "holder").equal(holder).where(named -> named.namesAny(wanted)),
        named -> take.accept(named.id()));
  }

  private static Bytes marks(Window window) {
    List<Long> marks =
        window.ledger().stream().map(line -> mark(line.candidate().id())).distinct().toList();
    ByteBuffer bytes = ByteBuffer.allocate(marks.size() * Long.BYTES);
    marks.forEach(bytes::putLong);
    return Bytes.of(bytes.array());
  }

  /** The random half. */
  private static long mark(Id id) {
    return id.low();
  }

  private boolean namesAny(Set<Long> wanted) {
    LongBuffer own = ByteBuffer.wrap(marks.toArray()).asLongBuffer();
    while (own.hasRemaining()) {
      if (wanted.contains(own.get())) {
        return true;
      }
    }
    return false;
  }
}
