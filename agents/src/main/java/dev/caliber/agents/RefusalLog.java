package dev.caliber.agents;

import dev.caliber.kernel.CaliberException;
import java.util.Optional;

/**
 * Traces of refusals, with the agent and the code. A deadlock and a write with a stale fence are
 * recorded as conflicts as well.
 */
record RefusalLog(AgentsUnitOfWork unitOfWork) {
  private static final String EVENT = "agent_command_rejected";

  static RefusalLog of(AgentsUnitOfWork agentsUnitOfWork) {
    return new RefusalLog(agentsUnitOfWork);
  }

  void record(AgentCommand<?> command, CaliberException refusal) {
    record(actor(command), command.getClass().getSimpleName(), refusal);
    if (refusal instanceof AgentsException known && !known.cycle().isEmpty()) {
      WaitForGraph.LeaseRequest leaseRequest = known.cycle().getFirst();
      recordConflict(
          ConflictType.RESOURCE_CONTENTION,
          known.cycle().getLast().agent(),
          leaseRequest.agent(),
          leaseRequest.resource());
    }
  }

  void record(AgentId agent, Fence fence, CaliberException refusal) {
    record(agent, "write", refusal);
    if (refusal.code() == AgentsErrorCode.STALE_FENCE) {
      new WaitForGraph(unitOfWork.transaction(), unitOfWork.now())
          .liveHolders(fence.resource()).stream()
              .map(Lease::holder)
              .filter(holder -> !holder.equals(agent))
              .forEach(
                  holder ->
                      recordConflict(
                          ConflictType.CONCURRENT_WRITE, holder, agent, fence.resource()));
    }
  }

  void record(AgentId agent, String what, CaliberException refusal) {
    unitOfWork.trace(EVENT, agent, what + " " + refusal.code().name());
  }

  private void recordConflict(ConflictType type, AgentId first, AgentId second, Resource resource) {
    new ConflictHandler(unitOfWork, new MessageHandler(unitOfWork))
        .findOrAdd(
            new ReportConflict(
                second,
                type,
                Conflict.ConflictSide.of(first),
                Conflict.ConflictSide.of(second),
                resource.toString(),
                Optional.empty()));
  }

  static AgentId actor(AgentCommand<?> command) {
    return switch (command) {
      case RegisterAgent register -> register.agent();
      case UnregisterAgent unregister -> unregister.agent();
      case TransitionAgent move -> move.agent();
      case RecordHeartbeats recordHeartbeats ->
          recordHeartbeats.agents().stream().findFirst().orElse(AgentsUnitOfWork.SYSTEM);
      case AcquireLease acquire -> acquire.agent();
      case RenewLease renew -> renew.agent();
      case ReleaseLease release -> release.agent();
      case RevokeLease _ -> AgentsUnitOfWork.SYSTEM;
      case LeaveLeaseQueue leave -> leave.agent();
      case SendMessage send -> send.from();
      case ReceiveMessages receive -> receive.agent();
      case AcknowledgeMessage acknowledge -> acknowledge.agent();
      case ReturnMessage giveBack -> giveBack.agent();
      case RequeueMessage _ -> AgentsUnitOfWork.SYSTEM;
      case AssignTask work -> work.agent();
      case CreateDelegation createDelegation -> createDelegation.delegator();
      case TransitionDelegation move -> move.agent();
      case StartHandoff startHandoff -> startHandoff.from();
      case TransitionHandoff move -> move.agent();
      case ReportConflict report -> report.agent();
      case TransitionConflict move -> move.agent();
    };
  }
}
