package dev.caliber.agents;

import dev.caliber.agents.command.AcknowledgeMessage;
import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.AgentCommand;
import dev.caliber.agents.command.AssignTask;
import dev.caliber.agents.command.CreateDelegation;
import dev.caliber.agents.command.LeaveLeaseQueue;
import dev.caliber.agents.command.ReceiveMessages;
import dev.caliber.agents.command.RecordHeartbeats;
import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.command.ReleaseLease;
import dev.caliber.agents.command.RenewLease;
import dev.caliber.agents.command.ReportConflict;
import dev.caliber.agents.command.RequeueMessage;
import dev.caliber.agents.command.ReturnMessage;
import dev.caliber.agents.command.RevokeLease;
import dev.caliber.agents.command.SendMessage;
import dev.caliber.agents.command.StartHandoff;
import dev.caliber.agents.command.TransitionAgent;
import dev.caliber.agents.command.TransitionConflict;
import dev.caliber.agents.command.TransitionDelegation;
import dev.caliber.agents.command.TransitionHandoff;
import dev.caliber.agents.command.UnregisterAgent;
import dev.caliber.agents.conflict.Conflict;
import dev.caliber.kernel.Id;
import java.util.List;

/** Dispatcher of the commands of one commit to their handlers. */
public final class AgentsCommandDispatcher {
  private final AgentRegistryHandler registry;
  private final LeaseHandler leases;
  private final MailHandler mail;
  private final DelegationHandler delegations;
  private final HandoffHandler handoffs;
  private final ConflictHandler conflicts;

  public AgentsCommandDispatcher(AgentsUnitOfWork agentsUnitOfWork) {
    this.registry = new AgentRegistryHandler(agentsUnitOfWork);
    this.leases = new LeaseHandler(agentsUnitOfWork);
    this.mail = new MailHandler(agentsUnitOfWork);
    this.delegations = new DelegationHandler(agentsUnitOfWork);
    this.handoffs = new HandoffHandler(agentsUnitOfWork);
    this.conflicts = new ConflictHandler(agentsUnitOfWork, mail);
  }

  @SuppressWarnings("unchecked") // the result type of each command is its own type parameter
  <R> R run(AgentCommand<R> command) {
    return (R)
        switch (command) {
          case RegisterAgent register -> registry.register(register);
          case UnregisterAgent unregister -> registry.unregister(unregister);
          case TransitionAgent move -> registry.transition(move);
          case RecordHeartbeats recordHeartbeats -> registry.recordHeartbeats(recordHeartbeats);
          case AcquireLease acquire -> leases.acquire(acquire);
          case RenewLease renew -> leases.renew(renew);
          case ReleaseLease release -> leases.release(release);
          case RevokeLease revoke -> leases.revoke(revoke);
          case LeaveLeaseQueue leave -> leases.leaveQueue(leave);
          case SendMessage send -> mail.send(send);
          case ReceiveMessages receive -> mail.receive(receive);
          case AcknowledgeMessage acknowledge -> mail.acknowledge(acknowledge);
          case ReturnMessage giveBack -> mail.returnMessage(giveBack);
          case RequeueMessage revive -> mail.requeue(revive);
          case AssignTask work -> registry.assignTask(work);
          case CreateDelegation createDelegation -> delegations.delegate(createDelegation);
          case TransitionDelegation move -> delegations.transition(move);
          case StartHandoff startHandoff -> handoffs.initiate(startHandoff);
          case TransitionHandoff move -> handoffs.transition(move);
          case ReportConflict report -> conflicts.report(report);
          case TransitionConflict move -> conflicts.transition(move);
        };
  }

  /** Kind of due work, besides overdue delegations. */
  enum DueWorkKind {
    FAILURES,
    LEASES,
    MAIL,
    OLD_MAIL
  }

  /** Processes at most {@code batch} records; returns their number. */
  int processDueWork(DueWorkKind dueWorkKind, int batch) {
    return switch (dueWorkKind) {
      case FAILURES -> registry.failSilentAgents(batch);
      case LEASES -> leases.removeExpired(batch);
      case MAIL -> mail.processDueMessages(batch);
      case OLD_MAIL -> mail.removeOldMessages(batch);
    };
  }

  /** Records conflicts that were found before this commit; returns those that are open now. */
  public List<Conflict> recordDetectedConflicts(List<ReportConflict> reports) {
    return conflicts.recordDetected(reports);
  }

  /** Ends an overdue delegation with its receiver's task; returns whether it was overdue. */
  boolean endOverdueDelegation(Id late) {
    return delegations.endOverdue(late, true);
  }

  /** Ends an overdue delegation; a job ends the task. */
  boolean endOverdueDelegationOnly(Id late) {
    return delegations.endOverdue(late, false);
  }

  void endTask(Id task) {
    delegations.endTask(task);
  }
}
