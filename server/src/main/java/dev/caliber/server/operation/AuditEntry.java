package dev.caliber.server.operation;

import dev.caliber.kernel.Id;
import dev.caliber.memory.view.CleanupStep;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A record of the caller behind a change, written in the commit of the change, or before it if the
 * change takes several commits; or of a caller who read records of named subjects. It quotes no
 * content.
 *
 * @param key the id of the key, because several keys may have the same name
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
      Table.of(
              "audit",
              "Audit log: which caller changed which record; entries are kept for a limited time.",
              AuditEntry.class,
              AuditEntry::id)
          .text("actor", AuditEntry::actor)
          .text("operation", AuditEntry::operation)
          .instant("time", AuditEntry::time)
          .index("time")
          .index("actor", "time")
          .withoutFeed();

  /** Creates the entry for this caller, operation and record. */
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

  /** Adds the subjects whose records the call reads. */
  AuditEntry withSubjects(List<String> named) {
    return new AuditEntry(id, actor, key, operation, record, time, Optional.of(named));
  }

  /** Returns the clean-up step that removes entries older than {@code retention}. */
  static CleanupStep cleanupStep(Duration retention) {
    return CleanupStep.deletingOlder("audit log", TABLE, "time", retention);
  }
}
