package dev.caliber.agents;

import dev.caliber.agents.command.LeaveLeaseQueue;
import dev.caliber.agents.command.ReleaseLease;
import dev.caliber.agents.command.TransitionDelegation;
import dev.caliber.agents.command.TransitionHandoff;
import dev.caliber.agents.command.UnregisterAgent;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.DelegationStatus;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.delegation.HandoffStatus;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseQueueEntry;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.Heartbeat;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.store.Query;
import java.util.List;
import java.util.function.Consumer;

/** Unregistration of an agent; at most one batch of what it holds is given back in one commit. */
final class AgentUnregistration {
  /** Ending one delegation may fill a whole commit, because its task ends with it. */
  private static final int ALONE = 1;

  private final AgentsUnitOfWork unitOfWork;
  private final UnregisterAgent command;
  private final AgentId id;
  private int left;

  AgentUnregistration(AgentsUnitOfWork agentsUnitOfWork, UnregisterAgent command) {
    this.unitOfWork = agentsUnitOfWork;
    this.command = command;
    this.id = command.agent();
    this.left = agentsUnitOfWork.config().maintenance().batch();
  }

  UnregisterAgent.UnregisterAgentResult unregister() {
    Agent agent = unitOfWork.view().agent(id);
    requireNoSubordinates();
    releaseLeases(new LeaseHandler(unitOfWork));
    endHandoffs(new HandoffHandler(unitOfWork));
    expireMail(new MailHandler(unitOfWork));
    endDelegations(new DelegationHandler(unitOfWork));
    if (left > 0) {
      unitOfWork.transaction().delete(Heartbeat.TABLE, id);
      unitOfWork.transaction().delete(Agent.TABLE, id);
      unitOfWork.trace("agent_unregistered", id, agent.type() + " by " + command.by());
    }
    return new UnregisterAgent.UnregisterAgentResult(id, left > 0);
  }

  private void requireNoSubordinates() {
    unitOfWork
        .transaction()
        .first(Query.over(Agent.TABLE, "reports_to").equal(id.value()))
        .ifPresent(
            below -> {
              throw AgentsException.agentBusy(id, "the subordinate '%s'".formatted(below.id()));
            });
  }

  private void releaseLeases(LeaseHandler leases) {
    giveBackEach(
        "a lease",
        Query.over(Lease.TABLE, "holder")
            .equal(id.value())
            .where(lease -> lease.isLive(unitOfWork.now())),
        lease -> leases.release(ReleaseLease.of(lease)));
    giveBackEach(
        "a place in a queue",
        LeaseQueueEntry.queryByAgent(id).where(wait -> wait.isLive(unitOfWork.now())),
        wait -> leases.leaveQueue(new LeaveLeaseQueue(id, wait.resource())));
  }

  private void endHandoffs(HandoffHandler handoffs) {
    giveBackEach(
        "a task to accept",
        Query.over(Handoff.TABLE, "pending_inbox").equal(Recipient.inboxOf(id)),
        task ->
            handoffs.transition(
                new TransitionHandoff(id, task.id(), HandoffStatus.HandoffTransition.REJECT)));
    giveBackEach(
        "a task that was handed to it",
        Query.over(Handoff.TABLE, "receiver").equal(id.value()).where(Handoff::isOpen),
        task ->
            handoffs.transition(
                new TransitionHandoff(id, task.id(), HandoffStatus.HandoffTransition.COMPLETE)));
  }

  private void expireMail(MailHandler mail) {
    giveBackEach("mail", Message.queryOpenIn(Recipient.inboxOf(id)), mail::expire);
  }

  private void endDelegations(DelegationHandler work) {
    giveBackEach(
        "work to accept",
        Query.over(Delegation.TABLE, "pending_inbox").equal(Recipient.inboxOf(id)),
        task -> work.transition(newTransition(task, DelegationStatus.DelegationTransition.REJECT)));
    int more = left;
    left = Math.min(left, ALONE);
    giveBackEach(
        "work",
        Query.over(Delegation.TABLE, "delegatee")
            .equal(id.value())
            .where(task -> !task.status().isTerminal()),
        task -> work.transition(newTransition(task, DelegationStatus.DelegationTransition.FAIL)));
    left = left > 0 ? more : 0;
  }

  private TransitionDelegation newTransition(
      Delegation task, DelegationStatus.DelegationTransition delegationTransition) {
    return TransitionDelegation.of(id, task.id(), delegationTransition).withWords("unregistered");
  }

  private <T> void giveBackEach(String what, Query<T> query, Consumer<T> giveBack) {
    if (left > 0) {
      List<T> found = unitOfWork.transaction().list(query, left);
      if (!found.isEmpty() && !command.giveBack()) {
        throw AgentsException.agentBusy(id, what);
      }
      found.forEach(giveBack);
      left -= found.size();
    }
  }
}
