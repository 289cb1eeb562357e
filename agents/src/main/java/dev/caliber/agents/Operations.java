package dev.caliber.agents;

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
          case DetectConflicts detect -> conflicts.detect(detect);
          case MoveConflict move -> conflicts.move(move);
        };
  }

  /** What has to happen by itself, at most so much of each; true if there may be more. */
  boolean tend(int batch) {
    boolean more = registry.failSilent(batch);
    more |= leases.removeEnded(batch);
    more |= mail.moveDue(batch);
    more |= mail.removeOld(batch);
    more |= delegations.endDue(batch);
    return more;
  }
}
