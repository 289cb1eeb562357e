package dev.caliber.agents;

import dev.caliber.store.Query;
import java.util.List;
import java.util.function.Consumer;

/** An agent goes, and gives back what it has: so much in one commit. */
final class Departure {
  /** What ends with the work that an agent does can be as much as a commit holds. */
  private static final int ALONE = 1;

  private final Desk desk;
  private final UnregisterAgent command;
  private final AgentId id;
  private int left;

  Departure(Desk desk, UnregisterAgent command) {
    this.desk = desk;
    this.command = command;
    this.id = command.agent();
    this.left = desk.config().tending().batch();
  }

  UnregisterAgent.Gone go() {
    Agent agent = desk.view().agent(id);
    requireNobodyBelow();
    endTurns(new LeaseWork(desk));
    endTasks(new HandoffWork(desk));
    endMail(new MailWork(desk));
    endWork(new DelegationWork(desk));
    if (left > 0) {
      desk.transaction().delete(Heartbeat.TABLE, id);
      desk.transaction().delete(Agent.TABLE, id);
      desk.trace("agent_unregistered", id, agent.type() + " by " + command.by());
    }
    return new UnregisterAgent.Gone(id, left > 0);
  }

  private void requireNobodyBelow() {
    desk.transaction()
        .first(Query.over(Agent.TABLE, "reports_to").equal(id.value()))
        .ifPresent(
            below -> {
              throw AgentsException.engaged(id, "'%s' below it".formatted(below.id()));
            });
  }

  private void endTurns(LeaseWork leases) {
    each(
        "a lease",
        Query.over(Lease.TABLE, "holder")
            .equal(id.value())
            .where(lease -> lease.isLive(desk.now())),
        lease -> leases.release(ReleaseLease.of(lease)));
    each(
        "a place in a queue",
        LeaseWait.of(id).where(wait -> wait.isLive(desk.now())),
        wait -> leases.leave(new LeaveQueue(id, wait.resource())));
  }

  private void endTasks(HandoffWork handoffs) {
    each(
        "a task to accept",
        Query.over(Handoff.TABLE, "pending_inbox").equal(Address.inboxOf(id)),
        task -> handoffs.move(new MoveHandoff(id, task.id(), HandoffStatus.Event.REJECT)));
    each(
        "a task that was handed to it",
        Query.over(Handoff.TABLE, "receiver").equal(id.value()).where(Handoff::isOpen),
        task -> handoffs.move(new MoveHandoff(id, task.id(), HandoffStatus.Event.COMPLETE)));
  }

  private void endMail(MailWork mail) {
    each("mail", Message.openIn(Address.inboxOf(id)), mail::expire);
  }

  private void endWork(DelegationWork work) {
    each(
        "work to accept",
        Query.over(Delegation.TABLE, "pending_inbox").equal(Address.inboxOf(id)),
        task -> work.move(move(task, DelegationStatus.Event.REJECT)));
    int more = left;
    left = Math.min(left, ALONE);
    each(
        "work",
        Query.over(Delegation.TABLE, "delegatee")
            .equal(id.value())
            .where(task -> !task.status().isTerminal()),
        task -> work.move(move(task, DelegationStatus.Event.FAIL)));
    left = left > 0 ? more : 0;
  }

  private MoveDelegation move(Delegation task, DelegationStatus.Event event) {
    return MoveDelegation.of(id, task.id(), event).saying("unregistered");
  }

  private <T> void each(String what, Query<T> query, Consumer<T> giveBack) {
    if (left > 0) {
      List<T> found = desk.rows().upTo(query, left);
      if (!found.isEmpty() && !command.giveBack()) {
        throw AgentsException.engaged(id, what);
      }
      found.forEach(giveBack);
      left -= found.size();
    }
  }
}
