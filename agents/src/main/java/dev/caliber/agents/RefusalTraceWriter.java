package dev.caliber.agents;

import dev.caliber.agents.command.AgentCommand;
import dev.caliber.agents.command.ReportConflict;
import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.conflict.ConflictType;
import dev.caliber.agents.lease.Fence;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.WaitForGraph;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentsErrorCode;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.kernel.CaliberException;
import java.util.Optional;

/**
 * Traces of refusals, with the agent and the code. A deadlock and a write with a stale fence are
 * recorded as conflicts as well.
 */
record RefusalTraceWriter(AgentsUnitOfWork unitOfWork) {
  private static final String EVENT = "agent_command_rejected";

  static RefusalTraceWriter of(AgentsUnitOfWork agentsUnitOfWork) {
    return new RefusalTraceWriter(agentsUnitOfWork);
  }

  void record(AgentCommand<?> command, CaliberException refusal) {
    record(RequiredPermissions.actor(command), command.getClass().getSimpleName(), refusal);
    if (refusal instanceof AgentsException known) {
      known
          .deadlock()
          .ifPresent(
              deadlock ->
                  recordConflict(
                      ConflictType.RESOURCE_CONTENTION,
                      deadlock.last(),
                      deadlock.first(),
                      deadlock.resource()));
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
                          ConflictType.CONCURRENT_WRITE,
                          holder,
                          agent,
                          fence.resource().toString()));
    }
  }

  void record(AgentId agent, String what, CaliberException refusal) {
    unitOfWork.trace(EVENT, agent, what + " " + refusal.code().name());
  }

  private void recordConflict(ConflictType type, AgentId first, AgentId second, String resource) {
    new ConflictHandler(unitOfWork, new MailHandler(unitOfWork))
        .findOrAdd(
            new ReportConflict(
                second,
                type,
                Conflict.ConflictSide.of(first),
                Conflict.ConflictSide.of(second),
                resource,
                Optional.empty()));
  }
}
