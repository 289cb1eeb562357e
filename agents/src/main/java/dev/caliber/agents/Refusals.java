package dev.caliber.agents;

import dev.caliber.kernel.CaliberException;
import java.util.Optional;

/**
 * What is written down of a refusal: who wanted it, and its code. A circle of waiting and a write
 * after one's turn are conflicts as well.
 */
record Refusals(Desk desk) {
  private static final String EVENT = "agent_refused";

  static Refusals of(Desk desk) {
    return new Refusals(desk);
  }

  void record(AgentCommand<?> command, CaliberException refusal) {
    record(actor(command), command.getClass().getSimpleName(), refusal);
    if (refusal instanceof AgentsException known && !known.cycle().isEmpty()) {
      Waiting.Wish wish = known.cycle().getFirst();
      conflict(
          ConflictType.RESOURCE_CONTENTION,
          known.cycle().getLast().agent(),
          wish.agent(),
          wish.resource());
    }
  }

  void record(AgentId agent, Fence fence, CaliberException refusal) {
    record(agent, "write", refusal);
    if (refusal.code() == AgentsErrorCode.STALE_FENCE) {
      new Waiting(desk.rows(), desk.now())
          .holders(fence.resource()).stream()
              .map(Lease::holder)
              .filter(holder -> !holder.equals(agent))
              .forEach(
                  holder ->
                      conflict(ConflictType.CONCURRENT_WRITE, holder, agent, fence.resource()));
    }
  }

  void record(AgentId agent, String what, CaliberException refusal) {
    desk.trace(EVENT, agent, what + " " + refusal.code().name());
  }

  private void conflict(ConflictType type, AgentId first, AgentId second, Resource resource) {
    new ConflictWork(desk, new MailWork(desk))
        .seen(
            new ReportConflict(
                second,
                type,
                Conflict.Item.of(first),
                Conflict.Item.of(second),
                resource.toString(),
                Optional.empty()));
  }

  static AgentId actor(AgentCommand<?> command) {
    return switch (command) {
      case RegisterAgent register -> register.agent();
      case UnregisterAgent unregister -> unregister.agent();
      case MoveAgent move -> move.agent();
      case Beat beat -> beat.agents().stream().findFirst().orElse(Desk.SYSTEM);
      case AcquireLease acquire -> acquire.agent();
      case RenewLease renew -> renew.agent();
      case ReleaseLease release -> release.agent();
      case RevokeLease _ -> Desk.SYSTEM;
      case LeaveQueue leave -> leave.agent();
      case SendMessage send -> send.from();
      case ReceiveMessages receive -> receive.agent();
      case AcknowledgeMessage acknowledge -> acknowledge.agent();
      case ReturnMessage giveBack -> giveBack.agent();
      case ReviveMessage _ -> Desk.SYSTEM;
      case WorkOn work -> work.agent();
      case Delegate delegate -> delegate.delegator();
      case MoveDelegation move -> move.agent();
      case HandOver handOver -> handOver.from();
      case MoveHandoff move -> move.agent();
      case ReportConflict report -> report.agent();
      case MoveConflict move -> move.agent();
    };
  }
}
