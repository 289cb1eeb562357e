package dev.caliber.agents;

import dev.caliber.agents.delegation.SharedRecords;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentStatus;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.EnumNames;
import dev.caliber.agents.registry.MemoryAccess.AccessMode;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Trajectory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Rules that delegations and handoffs share. */
record TaskAssignmentRules(AgentsUnitOfWork unitOfWork) {

  void checkText(String text) {
    new Limit("agents.work.text-limit", unitOfWork.config().work().textLimit().bytes())
        .requireWithin(text.getBytes(StandardCharsets.UTF_8).length);
  }

  void checkItems(List<?> items) {
    new Limit("agents.work.items-limit", unitOfWork.config().work().itemsLimit())
        .requireWithin(items.size());
  }

  /** Checks that the shared records exist. */
  void checkShared(SharedRecords sharedRecords) {
    checkItems(sharedRecords.artifacts());
    checkItems(sharedRecords.notes());
    sharedRecords.artifacts().forEach(unitOfWork.memoryView()::artifact);
    sharedRecords.notes().forEach(unitOfWork.memoryView()::note);
  }

  /** Checks that the receiver may read the shared records. */
  void requireReadable(SharedRecords sharedRecords, Agent receiver) {
    if (!sharedRecords.artifacts().isEmpty()) {
      unitOfWork.requireAccess(receiver, AccessMode.READ, MemoryKind.ARTIFACT);
    }
    if (!sharedRecords.notes().isEmpty()) {
      unitOfWork.requireAccess(receiver, AccessMode.READ, MemoryKind.NOTE);
    }
  }

  /** Returns the receiver, if it is one agent, so that its access can be checked now. */
  Optional<Agent> findNamedAgent(Recipient to) {
    Optional<Agent> agent = to.agent().map(unitOfWork.view()::agent);
    agent
        .filter(found -> !to.includes(found))
        .ifPresent(
            found -> {
              throw AgentsException.accessDenied(found.id(), "receive", "a task for " + to);
            });
    return agent;
  }

  void requireRecipient(Recipient to, Agent agent, String what) {
    if (!to.includes(agent)) {
      throw AgentsException.accessDenied(agent.id(), "accept", what + " for " + to);
    }
  }

  /** Refuses a task that has ended. */
  void requireOpenTask(Id trajectory, Function<String, AgentsException> refusal) {
    Trajectory task = unitOfWork.memoryView().trajectory(trajectory);
    if (task.status().isTerminal()) {
      throw refusal.apply("the task is " + EnumNames.lowerCaseName(task.status()));
    }
  }

  /** Assigns the task to the agent. */
  Agent assignTask(Agent agent, Id trajectory) {
    Optional<Id> scope = unitOfWork.memoryView().currentScope(trajectory).map(found -> found.id());
    Agent busy = agent.withStatusAfter(AgentStatus.AgentTransition.ACTIVATE, unitOfWork.now());
    if (busy.status() != agent.status()) {
      unitOfWork.trace("agent_" + EnumNames.lowerCaseName(busy.status()), agent.id(), agent.type());
    }
    return unitOfWork.put(
        Agent.TABLE, busy.withTask(Optional.of(trajectory), scope, unitOfWork.now()));
  }

  /** Removes the task from the agent, if it is assigned. */
  void releaseTask(AgentId id, Id trajectory) {
    unitOfWork
        .view()
        .findAgent(id)
        .filter(agent -> agent.trajectory().filter(trajectory::equals).isPresent())
        .ifPresent(
            agent ->
                unitOfWork.put(
                    Agent.TABLE,
                    agent.withTask(Optional.empty(), Optional.empty(), unitOfWork.now())));
  }
}
