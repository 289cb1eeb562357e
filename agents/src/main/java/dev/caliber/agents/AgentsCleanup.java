package dev.caliber.agents;

import dev.caliber.kernel.config.CoordinationConfig;
import dev.caliber.memory.CleanupStep;
import dev.caliber.memory.command.Swept;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.List;

/** What time takes from agents: each kind in commits of its own, at most a batch in one. */
final class AgentsCleanup {
  private AgentsCleanup() {}

  static List<CleanupStep> steps(AgentsConfig config, CoordinationConfig rules) {
    return List.of(new EndedLeases(config), new OldMail(config, rules), new OldConflicts(config));
  }

  private record EndedLeases(AgentsConfig config) implements CleanupStep {
    @Override
    public String name() {
      return Swept.LOCKS;
    }

    @Override
    public Cleaned clean(Transaction transaction, int batch) {
      return Cleaned.of(leases(transaction, AgentsView.of(transaction, config), batch), batch);
    }
  }

  private record OldMail(AgentsConfig config, CoordinationConfig rules) implements CleanupStep {
    @Override
    public String name() {
      return Swept.MESSAGES;
    }

    @Override
    public Cleaned clean(Transaction transaction, int batch) {
      AgentsView view = AgentsView.of(transaction, config);
      return Cleaned.of(mail(transaction, view, rules, batch), batch);
    }
  }

  private record OldConflicts(AgentsConfig config) implements CleanupStep {
    @Override
    public String name() {
      return "conflicts";
    }

    /** Those of a task go with the task, and tell a search until then what was decided. */
    @Override
    public Cleaned clean(Transaction transaction, int batch) {
      Instant before = transaction.now().minus(config.work().resolved());
      List<Conflict> old =
          AgentsView.of(transaction, config)
              .rows()
              .due(Query.over(Conflict.TABLE, "loose_since"), before, batch);
      old.forEach(conflict -> transaction.delete(Conflict.TABLE, conflict.id()));
      return Cleaned.of(old.size(), batch);
    }
  }

  /** Removes leases whose time is over; how many there were. */
  static int leases(Transaction transaction, AgentsView view, int batch) {
    List<Lease> ended = view.endedLeases(transaction.now(), batch);
    ended.forEach(lease -> end(transaction, lease, "lease_expired", lease.resource()));
    return ended.size();
  }

  /** A place that was taken as a holder goes with the lease: without it, others would be before. */
  static void end(Transaction transaction, Lease lease, String event, Object about) {
    transaction.delete(Lease.TABLE, lease.id());
    LeaseWait.find(transaction, lease.resource(), lease.holder())
        .ifPresent(place -> transaction.delete(LeaseWait.TABLE, place.id()));
    transaction.append(TraceEvent.TABLE, Desk.traced(transaction, event, lease.holder(), about));
  }

  /** Removes messages that ended long ago; how many there were. */
  static int mail(Transaction transaction, AgentsView view, CoordinationConfig rules, int batch) {
    Instant before = transaction.now().minus(rules.messageRetention());
    List<Message> old = view.rows().due(Query.over(Message.TABLE, "settled_at"), before, batch);
    old.forEach(message -> transaction.delete(Message.TABLE, message.id()));
    return old.size();
  }
}
