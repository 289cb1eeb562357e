package dev.caliber.agents;

import dev.caliber.agents.command.StartHandoff;
import dev.caliber.agents.command.TransitionHandoff;
import dev.caliber.agents.delegation.ContextSharing;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.delegation.HandoffOutline;
import dev.caliber.agents.delegation.HandoffStatus;
import dev.caliber.agents.delegation.HandoffStatus.HandoffTransition;
import dev.caliber.agents.delegation.SharedRecords;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.EnumNames;
import dev.caliber.agents.registry.MemoryAccess.AccessMode;
import dev.caliber.kernel.Id;
import dev.caliber.memory.context.WindowStorage;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Scope;
import java.util.Optional;
import java.util.stream.Stream;

/** Handles commands on handoffs of tasks. */
final class HandoffHandler {
  private final AgentsUnitOfWork unitOfWork;
  private final TaskAssignmentRules rules;

  HandoffHandler(AgentsUnitOfWork agentsUnitOfWork) {
    this.unitOfWork = agentsUnitOfWork;
    this.rules = new TaskAssignmentRules(agentsUnitOfWork);
  }

  Handoff initiate(StartHandoff command) {
    Agent from = unitOfWork.activeAgent(command.from());
    checkCommand(command);
    rules.requireOpenTask(command.trajectory(), AgentsException::handoffFailed);
    Scope scope =
        unitOfWork
            .memoryView()
            .currentScope(command.trajectory())
            .orElseThrow(
                () ->
                    AgentsException.handoffFailed(
                        "the task cannot be handed over, because it has no open scope"));
    Optional<Handoff> hanging = command.supersedes().map(id -> findSuperseded(from, command, id));
    if (hanging.isEmpty()) {
      requireAssigned(from, command.trajectory());
      unitOfWork
          .view()
          .openHandoff(command.trajectory())
          .ifPresent(open -> completePrevious(open, from));
    }
    rules
        .findNamedAgent(command.to())
        .ifPresent(agent -> requireReadable(command.shared(), command.sharing(), agent));
    Handoff handoff = newHandoff(command, scope.id(), keepSnapshot(command));
    hanging.ifPresent(old -> unitOfWork.put(Handoff.TABLE, old.withSupersededBy(handoff.id())));
    return saveAndTrace(handoff, "handoff_initiated", from.id());
  }

  Handoff transition(TransitionHandoff command) {
    Agent agent = unitOfWork.view().agent(command.agent());
    Handoff handoff = unitOfWork.view().handoff(command.id());
    if (handoff.supersededBy().isPresent()) {
      throw AgentsException.handoffFailed(
          "the handoff was superseded by " + handoff.supersededBy().get());
    }
    if (command.event() == HandoffTransition.ACCEPT) {
      return accept(unitOfWork.activeAgent(agent.id()), handoff);
    }
    requireParticipant(agent, handoff, command.event());
    Handoff moved = handoff.withStatusAfter(command.event(), agent.id(), unitOfWork.now());
    return saveAndTrace(moved, "handoff_" + EnumNames.lowerCaseName(moved.status()), agent.id());
  }

  /**
   * Completes the open handoff of a task if its receiver hands the task on; any other open handoff
   * is a conflict.
   */
  private void completePrevious(Handoff open, Agent from) {
    if (open.receiver().filter(from.id()::equals).isEmpty()) {
      throw AgentsException.handoffFailed(
          "the task cannot be handed over, because another handoff of the task is open: "
              + open.id());
    }
    saveAndTrace(
        open.withStatusAfter(HandoffTransition.COMPLETE, from.id(), unitOfWork.now()),
        "handoff_completed",
        from.id());
  }

  private void checkCommand(StartHandoff command) {
    HandoffOutline handoffOutline = command.outline();
    Stream.of(handoffOutline.notes(), handoffOutline.reason()).forEach(rules::checkText);
    Stream.of(handoffOutline.nextSteps(), handoffOutline.blockers(), handoffOutline.openQuestions())
        .forEach(
            lines -> {
              rules.checkItems(lines);
              lines.forEach(rules::checkText);
            });
    rules.checkShared(command.shared());
  }

  /**
   * Saves the snapshot permanently, whatever the settings say about windows. It is not saved if one
   * of its records was forgotten meanwhile; the task is handed over nevertheless.
   */
  private Window keepSnapshot(StartHandoff command) {
    Window window =
        command
            .snapshot()
            .orElseThrow(
                () ->
                    AgentsException.handoffFailed(
                        "a handoff as a step of a larger commit needs a window, which is its snapshot of the context"));
    if (!window.trajectory().equals(command.trajectory())) {
      throw AgentsException.handoffFailed(
          "the window of the handoff belongs to another trajectory: " + window.trajectory());
    }
    Window kept = window.withoutExpiry();
    unitOfWork
        .transaction()
        .find(Window.TABLE, window.id())
        .filter(known -> !known.withoutExpiry().equals(kept))
        .ifPresent(
            known -> {
              throw AgentsException.handoffFailed(
                  "the window of the handoff cannot be stored, because another window has the id "
                      + known.id());
            });
    WindowStorage.save(unitOfWork.transaction(), kept);
    return kept;
  }

  private Handoff newHandoff(StartHandoff command, Id scope, Window window) {
    return new Handoff(
        unitOfWork.newId(),
        command.from(),
        command.to(),
        command.trajectory(),
        scope,
        window.id(),
        command.outline(),
        command.shared(),
        command.sharing(),
        HandoffStatus.LIFE.initial(),
        Optional.empty(),
        Optional.empty(),
        unitOfWork.now(),
        Optional.empty(),
        Optional.empty());
  }

  static void requireAssigned(Agent from, Id trajectory) {
    if (from.trajectory().filter(trajectory::equals).isEmpty()) {
      throw AgentsException.accessDenied(
          from.id(), "hand over", "a task that is not assigned to it");
    }
  }

  /** Returns the open handoff to supersede; its sender or receiver must report to this agent. */
  private Handoff findSuperseded(Agent superior, StartHandoff command, Id id) {
    Handoff hanging = unitOfWork.view().handoff(id);
    if (!hanging.isOpen() || !hanging.trajectory().equals(command.trajectory())) {
      throw AgentsException.handoffFailed("'%s' is not an open handoff of this task".formatted(id));
    }
    boolean above =
        Stream.concat(Stream.of(hanging.from()), hanging.receiver().stream())
            .flatMap(agent -> unitOfWork.view().findAgent(agent).stream())
            .flatMap(agent -> agent.profile().reportsTo().stream())
            .anyMatch(superior.id()::equals);
    if (!above) {
      throw AgentsException.accessDenied(superior.id(), "supersede", "handoff " + id);
    }
    return hanging;
  }

  private void requireReadable(
      SharedRecords sharedRecords, ContextSharing contextSharing, Agent receiver) {
    rules.requireReadable(sharedRecords, receiver);
    if (contextSharing == ContextSharing.WHOLE_CONTEXT) {
      Stream.of(MemoryKind.TURN, MemoryKind.ARTIFACT, MemoryKind.NOTE)
          .forEach(kind -> unitOfWork.requireAccess(receiver, AccessMode.READ, kind));
    }
  }

  private Handoff accept(Agent agent, Handoff handoff) {
    rules.requireRecipient(handoff.to(), agent, "a task");
    if (handoff.status() != HandoffStatus.INITIATED) {
      throw AgentsException.handoffFailed(
          "handoff %s is %s".formatted(handoff.id(), EnumNames.lowerCaseName(handoff.status())));
    }
    rules.requireOpenTask(handoff.trajectory(), AgentsException::handoffFailed);
    requireReadable(handoff.shared(), handoff.sharing(), agent);
    rules.releaseTask(currentHolder(handoff), handoff.trajectory());
    rules.assignTask(unitOfWork.view().agent(agent.id()), handoff.trajectory());
    return saveAndTrace(
        handoff.withStatusAfter(HandoffTransition.ACCEPT, agent.id(), unitOfWork.now()),
        "handoff_accepted",
        agent.id());
  }

  /** Returns the agent that loses the task: with superseded handoffs, the last one that had it. */
  private AgentId currentHolder(Handoff handoff) {
    Handoff last = handoff;
    Optional<Handoff> hung = unitOfWork.view().supersededHandoff(last);
    while (hung.isPresent() && hung.get().receiver().isEmpty()) {
      last = hung.get();
      hung = unitOfWork.view().supersededHandoff(last);
    }
    return hung.flatMap(Handoff::receiver).orElse(last.from());
  }

  private static void requireParticipant(
      Agent agent, Handoff handoff, HandoffTransition handoffTransition) {
    boolean sender = handoff.from().equals(agent.id());
    boolean receiver =
        handoff.receiver().or(handoff.to()::agent).filter(agent.id()::equals).isPresent();
    boolean allowed =
        switch (handoffTransition) {
          case REJECT, REPORT -> sender || receiver;
          case ACCEPT, COMPLETE -> receiver;
        };
    if (!allowed) {
      throw AgentsException.accessDenied(
          agent.id(), EnumNames.lowerCaseName(handoffTransition), "handoff " + handoff.id());
    }
  }

  private Handoff saveAndTrace(Handoff handoff, String event, AgentId agent) {
    unitOfWork.put(Handoff.TABLE, handoff);
    unitOfWork.trace(event, agent, handoff.id());
    return handoff;
  }
}
