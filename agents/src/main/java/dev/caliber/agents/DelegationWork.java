package dev.caliber.agents;

import dev.caliber.agents.DelegationStatus.Event;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Decides who does delegated work. */
final class DelegationWork {
  /** The job that ends the task of a receiver who was too late. */
  static final String END_TASK = "agents.end-task";

  private static final String TIME_OUT = "timeout";

  private final Desk desk;
  private final WorkRules rules;
  private final Alarm alarm;

  DelegationWork(Desk desk) {
    this.desk = desk;
    this.rules = new WorkRules(desk);
    this.alarm = new Alarm(desk);
  }

  Delegation delegate(Delegate command) {
    Agent delegator = desk.acting(command.delegator());
    check(command.task());
    Optional<Agent> receiver = rules.named(command.to());
    requireAllowed(delegator, command.to(), receiver);
    receiver.ifPresent(agent -> rules.requireReadable(command.task().shared(), agent));
    Instant answerBy = desk.now().plus(desk.coordination().delegationTimeout());
    Instant deadline = command.within().map(desk.now()::plus).orElse(answerBy);
    Delegation delegation =
        Delegation.of(
            desk.newId(), command, deadline.isBefore(answerBy) ? deadline : answerBy, desk.now());
    return put(delegation, "delegation_made", delegator.id());
  }

  Delegation move(MoveDelegation command) {
    Agent agent = desk.view().agent(command.agent());
    Delegation delegation = desk.view().delegation(command.delegation());
    command.words().ifPresent(rules::checkText);
    if (command.event() == Event.ACCEPT) {
      return accept(desk.acting(agent.id()), delegation);
    }
    requireConcerned(agent, delegation, command.event());
    if (command.event() == Event.BEGIN || command.event() == Event.COMPLETE) {
      requireInTime(delegation);
    }
    requireResult(command);
    return moved(delegation, command.event(), command.words(), agent.id());
  }

  /** Work whose time is over. */
  static List<Id> late(Rows rows, Instant now, int limit) {
    return rows.due(Query.over(Delegation.TABLE, "due_at"), now, limit).stream()
        .map(Delegation::id)
        .toList();
  }

  /**
   * Rejects or fails it, unless somebody was quicker; its receiver's task is the system's to end.
   */
  boolean endLate(Id id, boolean withTask) {
    Optional<Delegation> late = desk.transaction().find(Delegation.TABLE, id).filter(this::isLate);
    late.ifPresent(work -> endLate(work, withTask));
    return late.isPresent();
  }

  private void endLate(Delegation late, boolean withTask) {
    Event event = late.status() == DelegationStatus.PENDING ? Event.REJECT : Event.FAIL;
    Delegation ended = late.moved(event, Optional.of(TIME_OUT), desk.now());
    ended
        .childTrajectory()
        .ifPresent(
            task -> {
              rules.leave(ended.delegatee().orElseThrow(), task);
              if (withTask) {
                endTask(task);
              } else {
                Jobs.schedule(
                    desk.transaction(),
                    JobRequest.of(END_TASK, task.toString(), desk.now()).once(task.toString()));
              }
            });
    put(
        ended,
        "delegation_" + Words.of(ended.status()),
        ended.delegatee().orElse(ended.delegator()));
  }

  /** The task of a receiver who was too late, in the system's name. */
  void endTask(Id task) {
    if (isOpen(task)) {
      desk.memory(Desk.SYSTEM).run(desk.transaction(), EndTrajectory.fail(task, TIME_OUT));
    }
  }

  private void check(Task task) {
    rules.requireOpen(task.trajectory(), AgentsException::delegation);
    rules.checkText(task.description());
    task.context().ifPresent(rules::checkText);
    rules.checkItems(task.constraints());
    task.constraints().forEach(rules::checkText);
    rules.check(task.shared());
  }

  private void requireAllowed(Agent delegator, Address to, Optional<Agent> receiver) {
    String type = receiver.map(Agent::type).orElseGet(() -> to.type().orElseThrow());
    if (!delegator.profile().canDelegateTo().contains(type)) {
      throw AgentsException.denied(delegator.id(), "delegate to", "a " + type);
    }
    if (receiver.filter(agent -> agent.id().equals(delegator.id())).isPresent()) {
      throw AgentsException.delegation("nobody delegates to themselves");
    }
    if (!desk.view().hasType(type)) {
      throw AgentsException.delegation("there is no " + type + " here");
    }
  }

  private Delegation accept(Agent agent, Delegation delegation) {
    rules.requireIncluded(delegation.to(), agent, "work");
    if (delegation.status() != DelegationStatus.PENDING) {
      throw AgentsException.delegation(
          "%s is %s".formatted(delegation.id(), Words.of(delegation.status())));
    }
    requireInTime(delegation);
    rules.requireReadable(delegation.task().shared(), agent);
    Trajectory child =
        desk.memory(agent.id())
            .run(
                desk.transaction(),
                StartTrajectory.of(
                        delegation.task().description(), EntityRef.agent(agent.id().value()))
                    .under(delegation.task().trajectory()));
    rules.begin(agent, child.id());
    return put(
        delegation.accepted(agent.id(), child.id(), desk.now()), "delegation_accepted", agent.id());
  }

  /** What is late is over, whether or not somebody has looked already. */
  private void requireInTime(Delegation delegation) {
    if (isLate(delegation)) {
      throw AgentsException.delegation("%s: %s is over".formatted(TIME_OUT, delegation.id()));
    }
  }

  private boolean isLate(Delegation delegation) {
    return delegation.dueAt().filter(due -> !desk.now().isBefore(due)).isPresent();
  }

  private Delegation moved(Delegation delegation, Event event, Optional<String> words, AgentId by) {
    Delegation moved = delegation.moved(event, words, desk.now());
    if (moved.status().isTerminal()) {
      moved.childTrajectory().ifPresent(child -> end(moved, child));
    }
    return put(moved, "delegation_" + Words.of(moved.status()), by);
  }

  /** The receiver's task ends with the work, unless it has ended or is gone already. */
  private void end(Delegation delegation, Id child) {
    AgentId receiver = delegation.delegatee().orElseThrow();
    rules.leave(receiver, child);
    if (isOpen(child)) {
      EndTrajectory end =
          delegation.status() == DelegationStatus.COMPLETED
              ? EndTrajectory.complete(child, "delegation completed")
              : EndTrajectory.fail(child, delegation.report().orElse("delegation failed"));
      desk.memory(receiver).run(desk.transaction(), end);
    }
  }

  private boolean isOpen(Id task) {
    return desk.transaction()
        .find(Trajectory.TABLE, task)
        .filter(found -> !found.status().isTerminal())
        .isPresent();
  }

  /** The receiver says how it goes; the giver may take it back. */
  private static void requireConcerned(Agent agent, Delegation delegation, Event event) {
    boolean receiver =
        delegation.delegatee().or(delegation.to()::agent).filter(agent.id()::equals).isPresent();
    boolean giver = delegation.delegator().equals(agent.id());
    boolean allowed =
        switch (event) {
          case REJECT, FAIL -> receiver || giver;
          case REPORT -> receiver || (giver && delegation.delegatee().isEmpty());
          case ACCEPT, BEGIN, COMPLETE -> receiver;
        };
    if (!allowed) {
      throw AgentsException.denied(agent.id(), Words.of(event), "delegation " + delegation.id());
    }
  }

  private static void requireResult(MoveDelegation command) {
    if (command.event() == Event.COMPLETE) {
      String result =
          command
              .words()
              .orElseThrow(() -> AgentsException.delegation("completed work has a result"));
      Json.read(result, JsonNode.class);
    }
  }

  private Delegation put(Delegation delegation, String event, AgentId agent) {
    desk.put(Delegation.TABLE, delegation);
    delegation.dueAt().ifPresent(alarm::arm);
    desk.trace(event, agent, delegation.id());
    return delegation;
  }
}
