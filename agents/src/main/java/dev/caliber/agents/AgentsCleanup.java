package dev.caliber.agents;

import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseQueueEntry;
import dev.caliber.agents.mail.Message;
import dev.caliber.kernel.config.CoordinationConfig;
import dev.caliber.memory.command.CleanupResult;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.view.CleanupStep;
import dev.caliber.memory.view.CleanupStep.CleanupProgress;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.util.List;

/** Removal of expired records of agents: each kind in its own commits, at most a batch in one. */
final class AgentsCleanup {
  private AgentsCleanup() {}

  /**
   * Returns the steps. Conflicts of a task are removed with it, so only old conflicts without a
   * task have a step; until then a search uses their resolutions.
   */
  static List<CleanupStep> cleanupSteps(AgentsConfig config, CoordinationConfig rules) {
    return List.of(
        CleanupStep.of(
            CleanupResult.LOCKS,
            (transaction, batch) ->
                CleanupProgress.ofBatch(
                    removeExpiredLeases(transaction, AgentsView.of(transaction, config), batch),
                    batch)),
        CleanupStep.deleting(
            CleanupResult.MESSAGES, transaction -> oldMessages(transaction, rules)),
        CleanupStep.deleting(
            "conflicts",
            transaction ->
                Query.over(Conflict.TABLE, "loose_since")
                    .due(transaction.now().minus(config.work().resolvedConflictRetention()))));
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
  static int removeOldMessages(Transaction transaction, CoordinationConfig rules, int batch) {
    List<Message> old = transaction.list(oldMessages(transaction, rules), batch);
    old.forEach(message -> transaction.delete(Message.TABLE, message.id()));
    return old.size();
  }

  private static Query<Message> oldMessages(Transaction transaction, CoordinationConfig rules) {
    return Query.over(Message.TABLE, "settled_at")
        .due(transaction.now().minus(rules.messageRetention()));
  }
}
