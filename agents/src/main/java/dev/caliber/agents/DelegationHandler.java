package dev.caliber.agents;

import dev.caliber.agents.command.CreateDelegation;
import dev.caliber.agents.command.TransitionDelegation;
import dev.caliber.agents.delegation.DelegatedTask;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.DelegationStatus;
import dev.caliber.agents.delegation.DelegationStatus.DelegationTransition;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.EnumNames;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.Jobs;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Handles commands on delegated work. */
final class DelegationHandler {
  /** Kind of the job that ends the task of an overdue receiver. */
  static final String END_TASK = "agents.end-delegated-trajectory";

  private static final String TIME_OUT = "timeout";

  private final AgentsUnitOfWork unitOfWork;
  private final TaskAssignmentRules rules;
  private final DueWorkScheduler dueWorkScheduler;

  DelegationHandler(AgentsUnitOfWork agentsUnitOfWork) {
    this.unitOfWork = agentsUnitOfWork;
    this.rules = new TaskAssignmentRules(agentsUnitOfWork);
    this.dueWorkScheduler = new DueWorkScheduler(agentsUnitOfWork);
  }

  Delegation delegate(CreateDelegation command) {
    Agent delegator = unitOfWork.activeAgent(command.delegator());
    checkTask(command.task());
    Optional<Agent> receiver = rules.findNamedAgent(command.to());
    requireMayDelegate(delegator, command.to(), receiver);
    receiver.ifPresent(agent -> rules.requireReadable(command.task().shared(), agent));
    Instant answerBy = unitOfWork.now().plus(unitOfWork.coordination().delegationTimeout());
    Instant deadline = command.within().map(unitOfWork.now()::plus).orElse(answerBy);
    Delegation delegation =
        command.toDelegation(
            unitOfWork.newId(),
            deadline.isBefore(answerBy) ? deadline : answerBy,
            unitOfWork.now());
    return saveAndTrace(delegation, "delegation_created", delegator.id());
  }

  Delegation transition(TransitionDelegation command) {
    Agent agent = unitOfWork.view().agent(command.agent());
    Delegation delegation = unitOfWork.view().delegation(command.delegation());
    command.words().ifPresent(rules::checkText);
    if (command.event() == DelegationTransition.ACCEPT) {
      return accept(unitOfWork.activeAgent(agent.id()), delegation);
    }
    requireParticipant(agent, delegation, command.event());
    if (command.event() == DelegationTransition.BEGIN
        || command.event() == DelegationTransition.COMPLETE) {
      requireInTime(delegation);
    }
    requireResult(command);
    return applyTransition(delegation, command.event(), command.words(), agent.id());
  }

  /** Returns the overdue delegations. */
  static List<Id> overdueDelegations(Snapshot snapshot, Instant now, int limit) {
    return snapshot.list(Query.over(Delegation.TABLE, "due_at").due(now), limit).stream()
        .map(Delegation::id)
        .toList();
  }

  /** Rejects or fails a delegation that is still overdue; the system ends its receiver's task. */
  boolean endOverdue(Id id, boolean withTask) {
    Optional<Delegation> late =
        unitOfWork.transaction().find(Delegation.TABLE, id).filter(this::isOverdue);
    late.ifPresent(work -> endOverdue(work, withTask));
    return late.isPresent();
  }

  private void endOverdue(Delegation late, boolean withTask) {
    DelegationTransition delegationTransition =
        late.status() == DelegationStatus.PENDING
            ? DelegationTransition.REJECT
            : DelegationTransition.FAIL;
    Delegation ended =
        late.withStatusAfter(delegationTransition, Optional.of(TIME_OUT), unitOfWork.now());
    ended
        .childTrajectory()
        .ifPresent(
            task -> {
              rules.releaseTask(ended.delegatee().orElseThrow(), task);
              if (withTask) {
                endTask(task);
              } else {
                Jobs.schedule(
                    unitOfWork.transaction(),
                    JobRequest.of(END_TASK, task.toString(), unitOfWork.now())
                        .withDeduplicationKey(task.toString()));
              }
            });
    saveAndTrace(
        ended,
        "delegation_" + EnumNames.lowerCaseName(ended.status()),
        ended.delegatee().orElse(ended.delegator()));
  }

  /** Ends the task of an overdue receiver, in the system's name. */
  void endTask(Id task) {
    if (isOpenTask(task)) {
      unitOfWork.memory().run(unitOfWork.transaction(), EndTrajectory.fail(task, TIME_OUT));
    }
  }

  private void checkTask(DelegatedTask delegatedTask) {
    rules.requireOpenTask(delegatedTask.trajectory(), AgentsException::delegationFailed);
    rules.checkText(delegatedTask.description());
    delegatedTask.context().ifPresent(rules::checkText);
    rules.checkItems(delegatedTask.constraints());
    delegatedTask.constraints().forEach(rules::checkText);
    rules.checkShared(delegatedTask.shared());
  }

  private void requireMayDelegate(Agent delegator, Recipient to, Optional<Agent> receiver) {
    String type = receiver.map(Agent::type).orElseGet(() -> to.type().orElseThrow());
    if (!delegator.profile().canDelegateTo().contains(type)) {
      throw AgentsException.accessDenied(delegator.id(), "delegate to", "a " + type);
    }
    if (receiver.filter(agent -> agent.id().equals(delegator.id())).isPresent()) {
      throw AgentsException.delegationFailed("an agent cannot delegate to itself");
    }
    if (!unitOfWork.view().hasType(type)) {
      throw AgentsException.delegationFailed(
          "no agent of type '" + type + "' is registered in this space");
    }
  }

  private Delegation accept(Agent agent, Delegation delegation) {
    rules.requireRecipient(delegation.to(), agent, "work");
    if (delegation.status() != DelegationStatus.PENDING) {
      throw AgentsException.delegationFailed(
          "delegation %s is %s"
              .formatted(delegation.id(), EnumNames.lowerCaseName(delegation.status())));
    }
    requireInTime(delegation);
    rules.requireReadable(delegation.task().shared(), agent);
    Trajectory child =
        unitOfWork
            .memory()
            .run(
                unitOfWork.transaction(),
                StartTrajectory.of(
                        delegation.task().description(), EntityRef.agent(agent.id().value()))
                    .withParent(delegation.task().trajectory()));
    rules.assignTask(agent, child.id());
    return saveAndTrace(
        delegation.withAcceptance(agent.id(), child.id(), unitOfWork.now()),
        "delegation_accepted",
        agent.id());
  }

  /** Refuses overdue work, even if it has not been ended yet. */
  private void requireInTime(Delegation delegation) {
    if (isOverdue(delegation)) {
      throw AgentsException.delegationFailed(
          "%s: the time limit of delegation %s has passed".formatted(TIME_OUT, delegation.id()));
    }
  }

  private boolean isOverdue(Delegation delegation) {
    return delegation.dueAt().filter(due -> !unitOfWork.now().isBefore(due)).isPresent();
  }

  private Delegation applyTransition(
      Delegation delegation,
      DelegationTransition delegationTransition,
      Optional<String> words,
      AgentId by) {
    Delegation moved = delegation.withStatusAfter(delegationTransition, words, unitOfWork.now());
    if (moved.status().isTerminal()) {
      moved.childTrajectory().ifPresent(child -> endReceiverTask(moved, child));
    }
    return saveAndTrace(moved, "delegation_" + EnumNames.lowerCaseName(moved.status()), by);
  }

  /** Ends the receiver's task with the work, unless it was ended or forgotten already. */
  private void endReceiverTask(Delegation delegation, Id child) {
    AgentId receiver = delegation.delegatee().orElseThrow();
    rules.releaseTask(receiver, child);
    if (isOpenTask(child)) {
      EndTrajectory end =
          delegation.status() == DelegationStatus.COMPLETED
              ? EndTrajectory.complete(child, "delegation completed")
              : EndTrajectory.fail(child, delegation.report().orElse("delegation failed"));
      unitOfWork.memory().run(unitOfWork.transaction(), end);
    }
  }

  private boolean isOpenTask(Id task) {
    return unitOfWork
        .transaction()
        .find(Trajectory.TABLE, task)
        .filter(found -> !found.status().isTerminal())
        .isPresent();
  }

  /**
   * Checks the agent's role: the receiver reports progress; the delegator may withdraw the work.
   */
  private static void requireParticipant(
      Agent agent, Delegation delegation, DelegationTransition delegationTransition) {
    boolean receiver =
        delegation.delegatee().or(delegation.to()::agent).filter(agent.id()::equals).isPresent();
    boolean giver = delegation.delegator().equals(agent.id());
    boolean allowed =
        switch (delegationTransition) {
          case REJECT, FAIL -> receiver || giver;
          case REPORT -> receiver || (giver && delegation.delegatee().isEmpty());
          case ACCEPT, BEGIN, COMPLETE -> receiver;
        };
    if (!allowed) {
      throw AgentsException.accessDenied(
          agent.id(),
          EnumNames.lowerCaseName(delegationTransition),
          "delegation " + delegation.id());
    }
  }

  private static void requireResult(TransitionDelegation command) {
    if (command.event() == DelegationTransition.COMPLETE) {
      String result =
          command
              .words()
              .orElseThrow(
                  () ->
                      AgentsException.delegationFailed(
                          "a delegation cannot be completed without a result"));
      Json.read(result, JsonNode.class);
    }
  }

  private Delegation saveAndTrace(Delegation delegation, String event, AgentId agent) {
    unitOfWork.put(Delegation.TABLE, delegation);
    delegation.dueAt().ifPresent(dueWorkScheduler::scheduleUnlessSooner);
    unitOfWork.trace(event, agent, delegation.id());
    return delegation;
  }
}
