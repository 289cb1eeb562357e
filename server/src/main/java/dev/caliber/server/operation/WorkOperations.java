package dev.caliber.server.operation;

import dev.caliber.agents.Address;
import dev.caliber.agents.AgentCommand;
import dev.caliber.agents.AgentId;
import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsView;
import dev.caliber.agents.Briefing;
import dev.caliber.agents.Delegate;
import dev.caliber.agents.Delegation;
import dev.caliber.agents.DelegationStatus;
import dev.caliber.agents.HandOver;
import dev.caliber.agents.Handoff;
import dev.caliber.agents.HandoffStatus;
import dev.caliber.agents.MoveDelegation;
import dev.caliber.agents.MoveHandoff;
import dev.caliber.agents.Needs;
import dev.caliber.agents.Outline;
import dev.caliber.agents.Part;
import dev.caliber.agents.Shared;
import dev.caliber.agents.Sharing;
import dev.caliber.agents.Task;
import dev.caliber.kernel.Id;
import dev.caliber.server.operation.TrajectoryOperations.Named;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Work that agents give to each other, and tasks that pass from one to another. */
final class WorkOperations {
  private final Agents agents;
  private final AgentCommands commands;
  private final Pages pages;

  private WorkOperations(Rooms rooms, Pages pages) {
    this.agents = rooms.agents();
    this.commands = new AgentCommands(rooms.agents());
    this.pages = pages;
  }

  static List<Operation<?, ?>> of(Rooms rooms, ServerConfig.Limits limits) {
    WorkOperations here = new WorkOperations(rooms, Pages.of(rooms, limits));
    return List.of(
        here.commands.operation(
            "delegate",
            "Gives work to another agent, or to whoever of a type accepts it first.",
            Give.class,
            Give::command,
            WorkOperations::shown),
        here.commands
            .operation(
                "move_delegation",
                "Says what becomes of delegated work.",
                MoveWork.class,
                MoveWork::command,
                WorkOperations::shown)
            .about(Delegation.TABLE, MoveWork::id),
        Operation.reading(
                "list_delegations", "Delegated work, oldest first.", Which.class, here::list)
            .forAgents(Needs.NOTHING),
        Operation.reading(
                "get_delegation",
                "Delegated work, and how far it is.",
                Named.class,
                (Caller caller, Named input) ->
                    shown(here.agents.view(caller.space(), view -> view.delegation(input.id()))))
            .about(Delegation.TABLE, Named::id)
            .forAgents(Needs.NOTHING),
        here.handOver(),
        here.commands
            .operation(
                "move_handoff",
                "Says what becomes of a handoff.",
                MoveTask.class,
                input -> new MoveHandoff(input.agent(), input.id(), input.event()))
            .about(Handoff.TABLE, MoveTask::id),
        Operation.reading("list_handoffs", "Handoffs, oldest first.", Passing.class, here::passing)
            .forAgents(Needs.NOTHING),
        Operation.reading(
                "get_handoff",
                "A handoff, and how far it is.",
                Named.class,
                (Caller caller, Named input) ->
                    here.agents.<Handoff>view(caller.space(), view -> view.handoff(input.id())))
            .about(Handoff.TABLE, Named::id)
            .forAgents(Needs.NOTHING),
        here.briefing());
  }

  private static JsonNode shown(Delegation delegation) {
    return AgentCommands.opened(delegation, "result");
  }

  /** Work to be given. */
  record Give(
      AgentId delegator,
      Address to,
      String description,
      Id trajectory,
      Optional<List<Id>> artifacts,
      Optional<List<Id>> notes,
      Optional<String> context,
      Optional<List<String>> constraints,
      Optional<String> within) {
    Delegate command() {
      Shared shared = new Shared(artifacts.orElse(List.of()), notes.orElse(List.of()));
      return new Delegate(
          delegator,
          to,
          new Task(description, trajectory, shared, context, constraints.orElse(List.of())),
          AgentCommands.time("within", within));
    }
  }

  /** What becomes of work: words say how far it is or why not, a result completes it. */
  record MoveWork(
      Id id,
      AgentId agent,
      DelegationStatus.Event event,
      Optional<String> words,
      Optional<JsonNode> result) {
    MoveDelegation command() {
      boolean completes = event == DelegationStatus.Event.COMPLETE;
      Optional<JsonNode> done = AgentCommands.said(result);
      if (completes ? words.isPresent() : done.isPresent()) {
        throw ServerException.invalidInput(
            completes ? "/words" : "/result", "Wanted a result to complete it, and only then");
      }
      return new MoveDelegation(agent, id, event, completes ? done.map(JsonNode::toString) : words);
    }
  }

  /**
   * Which work: in a status, of one who gave or has it; or what one, or any of a type, could
   * accept.
   */
  record Which(
      Optional<DelegationStatus> status,
      Optional<AgentId> delegator,
      Optional<AgentId> delegatee,
      Optional<AgentId> acceptableBy,
      Optional<Integer> limit,
      Optional<String> cursor,
      Optional<String> type) {
    Pages.Wanted page() {
      return new Pages.Wanted(limit, cursor);
    }

    Query<Delegation> query() {
      return walk()
          .where(
              work ->
                  status.filter(wanted -> wanted != work.status()).isEmpty()
                      && delegator.filter(agent -> !agent.equals(work.delegator())).isEmpty());
    }

    private Query<Delegation> walk() {
      return delegatee
          .map(agent -> Query.over(Delegation.TABLE, "delegatee").equal(agent.value()))
          .or(
              () ->
                  delegator.map(
                      agent -> Query.over(Delegation.TABLE, "delegator").equal(agent.value())))
          .or(() -> status.map(one -> Query.over(Delegation.TABLE, "status").equal(one.name())))
          .orElseGet(() -> Query.over(Delegation.TABLE));
    }
  }

  private Listed<JsonNode> list(Caller caller, Which which) {
    Listed<Delegation> found =
        acceptable(which.acceptableBy(), which.type())
            .map(
                by -> {
                  Inputs.requireAlone(
                      word(by), which.status(), which.delegator(), which.delegatee());
                  return pending(caller, by, which.page(), AgentsView::pendingDelegations);
                })
            .orElseGet(() -> pages.read(caller, which.query(), which.page()));
    return found.as(WorkOperations::shown);
  }

  /** Who could accept it: one agent, or whoever of a type. */
  private static Optional<Address> acceptable(Optional<AgentId> agent, Optional<String> type) {
    type.ifPresent(_ -> Inputs.requireAlone("type", agent));
    return agent.map(Address::agent).or(() -> type.map(Address::type));
  }

  private static String word(Address by) {
    return by.agent().isPresent() ? "acceptable_by" : "type";
  }

  /** What can be accepted, part by part. */
  private interface Pending<T> {
    Part<T> of(AgentsView view, Address by, Optional<String> after, int limit);
  }

  private <T> Listed<T> pending(Caller caller, Address by, Pages.Wanted page, Pending<T> pending) {
    int size = pages.size(page.limit());
    return Listed.of(
        agents.<Part<T>>view(caller.space(), view -> pending.of(view, by, page.cursor(), size)));
  }

  /** A task to hand over; what is named crosses, and nothing else unless sharing says so. */
  record Pass(
      AgentId from,
      Address to,
      Id trajectory,
      String notes,
      String reason,
      Optional<List<String>> nextSteps,
      Optional<List<String>> blockers,
      Optional<List<String>> openQuestions,
      Optional<List<Id>> sharedArtifacts,
      Optional<List<Id>> sharedNotes,
      Optional<Sharing> sharing,
      Optional<Id> supersedes) {
    HandOver command() {
      return new HandOver(
          from,
          to,
          trajectory,
          new Outline(
              notes,
              nextSteps.orElse(List.of()),
              blockers.orElse(List.of()),
              openQuestions.orElse(List.of()),
              reason),
          new Shared(sharedArtifacts.orElse(List.of()), sharedNotes.orElse(List.of())),
          sharing.orElse(Sharing.NEED_TO_KNOW),
          supersedes,
          Optional.empty());
    }
  }

  private Operation<Pass, Handoff> handOver() {
    return Operation.<Pass, Handoff>writing(
            "hand_over",
            "Hands the task that an agent is at to another, with a snapshot of its context.",
            Pass.class,
            new Passes(agents))
        .whenRefused(
            (caller, input, refusal) -> agents.refused(caller.space(), input.command(), refusal))
        .forAgents(input -> Needs.speakingFor(List.of(input.from())));
  }

  /** The context is assembled before the commit, so that it is no part of another. */
  private record Passes(Agents agents) implements Operation.Change<Pass, Handoff> {
    @Override
    public Handoff apply(Transaction transaction, Caller caller, Pass input) {
      throw ServerException.notInACommit("hand_over");
    }

    @Override
    public Operation.Change<Pass, Handoff> prepared(Caller caller, Pass input) {
      AgentCommand<Handoff> ready = agents.prepare(caller.space(), input.command());
      return (transaction, _, _) -> agents.run(transaction, ready);
    }

    @Override
    public boolean isCostly(Pass input) {
      return true;
    }
  }

  /** What becomes of a handoff. */
  record MoveTask(Id id, AgentId agent, HandoffStatus.Event event) {}

  /** Which handoffs: of a task, in a status; or what one, or any of a type, could accept. */
  record Passing(
      Optional<Id> trajectory,
      Optional<HandoffStatus> status,
      Optional<AgentId> acceptableBy,
      Optional<Integer> limit,
      Optional<String> cursor,
      Optional<String> type) {
    Pages.Wanted page() {
      return new Pages.Wanted(limit, cursor);
    }

    Query<Handoff> query() {
      return trajectory
          .map(id -> Query.over(Handoff.TABLE, "trajectory").equal(id))
          .or(() -> status.map(one -> Query.over(Handoff.TABLE, "status").equal(one.name())))
          .orElseGet(() -> Query.over(Handoff.TABLE))
          .where(handoff -> status.filter(wanted -> wanted != handoff.status()).isEmpty());
    }
  }

  private Listed<Handoff> passing(Caller caller, Passing which) {
    return acceptable(which.acceptableBy(), which.type())
        .map(
            by -> {
              Inputs.requireAlone(word(by), which.status(), which.trajectory());
              return pending(caller, by, which.page(), AgentsView::pendingHandoffs);
            })
        .orElseGet(() -> pages.read(caller, which.query(), which.page()));
  }

  /** A delegation or handoff, as its receiver sees it. */
  record Receiving(Id id, AgentId agent) {}

  /** That somebody else has asked is written down, which is not for who may only read. */
  private Operation<Receiving, Briefing> briefing() {
    return Operation.<Receiving, Briefing>reading(
            "briefing",
            "What crossed to the receiver of a delegation that it accepted, or of a handoff.",
            Receiving.class,
            (caller, input) -> agents.briefing(caller.space(), input.agent(), input.id()))
        .needing(Right.WRITE)
        .forAgents(input -> Needs.speakingFor(List.of(input.agent())));
  }
}
