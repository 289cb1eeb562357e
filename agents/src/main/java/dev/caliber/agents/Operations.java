package dev.caliber.agents;

import dev.caliber.kernel.Id;
import java.util.List;

/** All works over one desk: the commands of one commit. */
final class Operations {
  private final RegistryWork registry;
  private final LeaseWork leases;
  private final MailWork mail;
  private final DelegationWork delegations;
  private final HandoffWork handoffs;
  private final ConflictWork conflicts;

  Operations(Desk desk) {
    this.registry = new RegistryWork(desk);
    this.leases = new LeaseWork(desk);
    this.mail = new MailWork(desk);
    this.delegations = new DelegationWork(desk);
    this.handoffs = new HandoffWork(desk);
    this.conflicts = new ConflictWork(desk, mail);
  }

  @SuppressWarnings("unchecked") // each command answers what its own declaration says
  <R> R run(AgentCommand<R> command) {
    return (R)
        switch (command) {
          case RegisterAgent register -> registry.register(register);
          case UnregisterAgent unregister -> registry.unregister(unregister);
          case MoveAgent move -> registry.move(move);
          case Beat beat -> registry.beat(beat);
          case AcquireLease acquire -> leases.acquire(acquire);
          case RenewLease renew -> leases.renew(renew);
          case ReleaseLease release -> leases.release(release);
          case RevokeLease revoke -> leases.revoke(revoke);
          case LeaveQueue leave -> leases.leave(leave);
          case SendMessage send -> mail.send(send);
          case ReceiveMessages receive -> mail.receive(receive);
          case AcknowledgeMessage acknowledge -> mail.acknowledge(acknowledge);
          case ReturnMessage giveBack -> mail.giveBack(giveBack);
          case ReviveMessage revive -> mail.revive(revive);
          case WorkOn work -> registry.workOn(work);
          case Delegate delegate -> delegations.delegate(delegate);
          case MoveDelegation move -> delegations.move(move);
          case HandOver handOver -> handoffs.initiate(handOver);
          case MoveHandoff move -> handoffs.move(move);
          case ReportConflict report -> conflicts.report(report);
          case MoveConflict move -> conflicts.move(move);
        };
  }

  /** What has to happen by itself, beside the end of late delegations. */
  enum Chore {
    FAILURES,
    LEASES,
    MAIL,
    OLD_MAIL
  }

  /** At most so much of it; how much there was. */
  int tend(Chore chore, int batch) {
    return switch (chore) {
      case FAILURES -> registry.failSilent(batch);
      case LEASES -> leases.removeEnded(batch);
      case MAIL -> mail.moveDue(batch);
      case OLD_MAIL -> mail.removeOld(batch);
    };
  }

  /** Writes down conflicts that were found before this commit; answers those that are open now. */
  List<Conflict> found(List<ReportConflict> reports) {
    return conflicts.found(reports);
  }

  /** Ends a late delegation, with the task of its receiver; true if it was late. */
  boolean end(Id late) {
    return delegations.endLate(late, true);
  }

  /** Ends it alone; a job ends the task. */
  boolean endAlone(Id late) {
    return delegations.endLate(late, false);
  }

  void endTask(Id task) {
    delegations.endTask(task);
  }
}
