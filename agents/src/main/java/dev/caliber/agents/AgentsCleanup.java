package dev.caliber.agents;

import dev.caliber.kernel.config.CoordinationConfig;
import dev.caliber.memory.CleanupStep;
import dev.caliber.memory.command.CleanupResult;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.List;

/** Removal of expired records of agents: each kind in its own commits, at most a batch in one. */
final class AgentsCleanup {
  private AgentsCleanup() {}

  static List<CleanupStep> cleanupSteps(AgentsConfig config, CoordinationConfig rules) {
    return List.of(
        new ExpiredLeaseCleanup(config),
        new OldMessageCleanup(config, rules),
        new OldConflictCleanup(config));
  }

  private record ExpiredLeaseCleanup(AgentsConfig config) implements CleanupStep {
    @Override
    public String name() {
      return CleanupResult.LOCKS;
    }

    @Override
    public CleanupProgress clean(Transaction transaction, int batch) {
      return CleanupProgress.ofBatch(
          removeExpiredLeases(transaction, AgentsView.of(transaction, config), batch), batch);
    }
  }

  private record OldMessageCleanup(AgentsConfig config, CoordinationConfig rules)
      implements CleanupStep {
    @Override
    public String name() {
      return CleanupResult.MESSAGES;
    }

    @Override
    public CleanupProgress clean(Transaction transaction, int batch) {
      AgentsView view = AgentsView.of(transaction, config);
      return CleanupProgress.ofBatch(removeOldMessages(transaction, view, rules, batch), batch);
    }
  }

  private record OldConflictCleanup(AgentsConfig config) implements CleanupStep {
    @Override
    public String name() {
      return "conflicts";
    }

    /**
     * Removes old conflicts without a task. Conflicts of a task are removed with it; until then a
     * search uses their resolutions.
     */
    @Override
    public CleanupProgress clean(Transaction transaction, int batch) {
      Instant before = transaction.now().minus(config.work().resolvedConflictRetention());
      List<Conflict> old =
          AgentsView.of(transaction, config)
              .indexScanner()
              .dueRows(Query.over(Conflict.TABLE, "loose_since"), before, batch);
      old.forEach(conflict -> transaction.delete(Conflict.TABLE, conflict.id()));
      return CleanupProgress.ofBatch(old.size(), batch);
    }
  }

  /** Removes expired leases; returns their number. */
  static int removeExpiredLeases(Transaction transaction, AgentsView view, int batch) {
    List<Lease> ended = view.expiredLeases(transaction.now(), batch);
    ended.forEach(lease -> endLease(transaction, lease, "lease_expired", lease.resource()));
    return ended.size();
  }

  /**
   * Ends a lease, with the queue place that its holder took for an upgrade: without the lease,
   * other agents precede it.
   */
  static void endLease(Transaction transaction, Lease lease, String event, Object about) {
    transaction.delete(Lease.TABLE, lease.id());
    LeaseQueueEntry.find(transaction, lease.resource(), lease.holder())
        .ifPresent(place -> transaction.delete(LeaseQueueEntry.TABLE, place.id()));
    transaction.append(
        TraceEvent.TABLE, AgentsUnitOfWork.traceEvent(transaction, event, lease.holder(), about));
  }

  /** Removes messages that ended before the retention; returns their number. */
  static int removeOldMessages(
      Transaction transaction, AgentsView view, CoordinationConfig rules, int batch) {
    Instant before = transaction.now().minus(rules.messageRetention());
    List<Message> old =
        view.indexScanner().dueRows(Query.over(Message.TABLE, "settled_at"), before, batch);
    old.forEach(message -> transaction.delete(Message.TABLE, message.id()));
    return old.size();
  }
}
