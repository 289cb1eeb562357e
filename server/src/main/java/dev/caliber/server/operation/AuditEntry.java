package dev.caliber.server.operation;

import dev.caliber.kernel.Id;
import dev.caliber.memory.CleanupStep;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Who changed something, written in the commit that did, or in one before it where that takes
 * several; or who read records of subjects that the call named. It quotes nothing.
 *
 * @param key the id of the key that was shown; names of keys may be the same
 * @param record the one record that the operation was about
 * @param subjects the subjects whose records were read because the call named them; * for all
 */
record AuditEntry(
    Id id,
    String actor,
    Optional<String> key,
    String operation,
    Optional<Id> record,
    Instant time,
    Optional<List<String>> subjects) {

  static final Table<AuditEntry> TABLE =
      Table.of("audit", "Who changed something, for some time.", AuditEntry.class, AuditEntry::id)
          .text("actor", AuditEntry::actor)
          .text("operation", AuditEntry::operation)
          .instant("time", AuditEntry::time)
          .index("time")
          .index("actor", "time")
          .quiet();

  /** That this caller runs the operation, on this record. */
  static AuditEntry of(
      Transaction transaction, Caller caller, String operation, Optional<Id> record) {
    return new AuditEntry(
        transaction.newId(),
        caller.actor(),
        Optional.of(caller.id()).filter(id -> !id.isEmpty()),
        operation,
        record,
        transaction.now(),
        Optional.empty());
  }

  /** The entry with the subjects whose records the call reads. */
  AuditEntry reading(List<String> named) {
    return new AuditEntry(id, actor, key, operation, record, time, Optional.of(named));
  }

  /** Removes those older than that. */
  record Old(Duration retention) implements CleanupStep {
    @Override
    public String name() {
      return "audit log";
    }

    @Override
    public Cleaned clean(Transaction transaction, int batch) {
      Instant cutoff = transaction.now().minus(retention);
      List<AuditEntry> old =
          transaction.scan(Query.over(TABLE, "time").until(cutoff), batch).records();
      old.forEach(entry -> transaction.delete(TABLE, entry.id()));
      return Cleaned.of(old.size(), batch);
    }
  }
}
