package dev.caliber.agents;

import dev.caliber.agents.HandoffStatus.Event;
import dev.caliber.agents.MemoryAccess.Access;
import dev.caliber.kernel.Id;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.context.Windows;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Scope;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides who goes on with a task. */
final class HandoffWork {
  private final Desk desk;
  private final WorkRules rules;

  HandoffWork(Desk desk) {
    this.desk = desk;
    this.rules = new WorkRules(desk);
  }

  Handoff initiate(HandOver command) {
    Agent from = desk.acting(command.from());
    check(command);
    rules.requireOpen(command.trajectory(), AgentsException::handoff);
    Scope scope =
        desk.memoryView()
            .currentScope(command.trajectory())
            .orElseThrow(() -> AgentsException.handoff("the task has no open scope"));
    Optional<Handoff> hanging = command.supersedes().map(id -> hanging(from, command, id));
    if (hanging.isEmpty()) {
      requireAt(from, command.trajectory());
      desk.view().openHandoff(command.trajectory()).ifPresent(open -> end(open, from));
    }
    rules
        .named(command.to())
        .ifPresent(agent -> requireReadable(command.shared(), command.sharing(), agent));
    Handoff handoff = handoff(command, scope.id(), kept(command));
    hanging.ifPresent(old -> desk.put(Handoff.TABLE, old.superseded(handoff.id())));
    return put(handoff, "handoff_initiated", from.id());
  }

  Handoff move(MoveHandoff command) {
    Agent agent = desk.view().agent(command.agent());
    Handoff handoff = desk.view().handoff(command.handoff());
    if (handoff.supersededBy().isPresent()) {
      throw AgentsException.handoff("another took its place: " + handoff.supersededBy().get());
    }
    if (command.event() == Event.ACCEPT) {
      return accept(desk.acting(agent.id()), handoff);
    }
    requireConcerned(agent, handoff, command.event());
    Handoff moved = handoff.moved(command.event(), agent.id(), desk.now());
    return put(moved, "handoff_" + Words.of(moved.status()), agent.id());
  }

  /** Who hands on what was handed to it has taken it over; any other one is in the way. */
  private void end(Handoff open, Agent from) {
    if (open.receiver().filter(from.id()::equals).isEmpty()) {
      throw AgentsException.handoff("another one of this task is open: " + open.id());
    }
    put(open.moved(Event.COMPLETE, from.id(), desk.now()), "handoff_completed", from.id());
  }

  private void check(HandOver command) {
    Outline outline = command.outline();
    Stream.of(outline.notes(), outline.reason()).forEach(rules::checkText);
    Stream.of(outline.nextSteps(), outline.blockers(), outline.openQuestions())
        .forEach(
            lines -> {
              rules.checkItems(lines);
              lines.forEach(rules::checkText);
            });
    rules.check(command.shared());
  }

  /**
   * The snapshot stays for good, whatever the settings say about windows. What was forgotten since
   * it was made takes it away, as it would a moment later; the task is handed over all the same.
   */
  private Window kept(HandOver command) {
    Window window =
        command
            .snapshot()
            .orElseThrow(() -> AgentsException.handoff("inside a commit, give its snapshot"));
    if (!window.trajectory().equals(command.trajectory())) {
      throw AgentsException.handoff("the snapshot is one of " + window.trajectory());
    }
    Window kept = window.forGood();
    desk.transaction()
        .find(Window.TABLE, window.id())
        .filter(known -> !known.forGood().equals(kept))
        .ifPresent(
            known -> {
              throw AgentsException.handoff("another window has the id " + known.id());
            });
    Windows.keep(desk.transaction(), kept);
    return kept;
  }

  private Handoff handoff(HandOver command, Id scope, Window window) {
    return new Handoff(
        desk.newId(),
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
        desk.now(),
        Optional.empty(),
        Optional.empty());
  }

  static void requireAt(Agent from, Id trajectory) {
    if (from.trajectory().filter(trajectory::equals).isEmpty()) {
      throw AgentsException.denied(from.id(), "hand over", "a task that it is not at");
    }
  }

  /** One that hangs, and whose sender or receiver reports to this agent. */
  private Handoff hanging(Agent superior, HandOver command, Id id) {
    Handoff hanging = desk.view().handoff(id);
    if (!hanging.isOpen() || !hanging.trajectory().equals(command.trajectory())) {
      throw AgentsException.handoff("%s is no open handoff of this task".formatted(id));
    }
    boolean above =
        Stream.concat(Stream.of(hanging.from()), hanging.receiver().stream())
            .flatMap(agent -> desk.view().find(agent).stream())
            .flatMap(agent -> agent.profile().reportsTo().stream())
            .anyMatch(superior.id()::equals);
    if (!above) {
      throw AgentsException.denied(superior.id(), "supersede", "handoff " + id);
    }
    return hanging;
  }

  private void requireReadable(Shared shared, Sharing sharing, Agent receiver) {
    rules.requireReadable(shared, receiver);
    if (sharing == Sharing.WHOLE_CONTEXT) {
      Stream.of(MemoryKind.TURN, MemoryKind.ARTIFACT, MemoryKind.NOTE)
          .forEach(kind -> desk.requireAccess(receiver, Access.READ, kind));
    }
  }

  private Handoff accept(Agent agent, Handoff handoff) {
    rules.requireIncluded(handoff.to(), agent, "a task");
    if (handoff.status() != HandoffStatus.INITIATED) {
      throw AgentsException.handoff("%s is %s".formatted(handoff.id(), Words.of(handoff.status())));
    }
    rules.requireOpen(handoff.trajectory(), AgentsException::handoff);
    requireReadable(handoff.shared(), handoff.sharing(), agent);
    rules.leave(holder(handoff), handoff.trajectory());
    rules.begin(desk.view().agent(agent.id()), handoff.trajectory());
    return put(handoff.moved(Event.ACCEPT, agent.id(), desk.now()), "handoff_accepted", agent.id());
  }

  /** From whom it takes the task: where others hung before it, from who had it then. */
  private AgentId holder(Handoff handoff) {
    Handoff last = handoff;
    Optional<Handoff> hung = desk.view().superseded(last);
    while (hung.isPresent() && hung.get().receiver().isEmpty()) {
      last = hung.get();
      hung = desk.view().superseded(last);
    }
    return hung.flatMap(Handoff::receiver).orElse(last.from());
  }

  private static void requireConcerned(Agent agent, Handoff handoff, Event event) {
    boolean sender = handoff.from().equals(agent.id());
    boolean receiver =
        handoff.receiver().or(handoff.to()::agent).filter(agent.id()::equals).isPresent();
    boolean allowed =
        switch (event) {
          case REJECT, REPORT -> sender || receiver;
          case ACCEPT, COMPLETE -> receiver;
        };
    if (!allowed) {
      throw AgentsException.denied(agent.id(), Words.of(event), "handoff " + handoff.id());
    }
  }

  private Handoff put(Handoff handoff, String event, AgentId agent) {
    desk.put(Handoff.TABLE, handoff);
    desk.trace(event, agent, handoff.id());
    return handoff;
  }
}
