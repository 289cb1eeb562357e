package dev.caliber.server.operation;

import dev.caliber.agents.AgentCommand;
import dev.caliber.agents.AgentId;
import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsView;
import dev.caliber.agents.Briefing;
import dev.caliber.agents.ContextSharing;
import dev.caliber.agents.CreateDelegation;
import dev.caliber.agents.DelegatedTask;
import dev.caliber.agents.Delegation;
import dev.caliber.agents.DelegationStatus;
import dev.caliber.agents.Handoff;
import dev.caliber.agents.HandoffOutline;
import dev.caliber.agents.HandoffStatus;
import dev.caliber.agents.Recipient;
import dev.caliber.agents.RequiredPermissions;
import dev.caliber.agents.ResultPage;
import dev.caliber.agents.SharedRecords;
import dev.caliber.agents.StartHandoff;
import dev.caliber.agents.TransitionDelegation;
import dev.caliber.agents.TransitionHandoff;
import dev.caliber.kernel.Id;
import dev.caliber.server.operation.TrajectoryOperations.RecordIdRequest;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The operations on delegations between agents and on handoffs of tasks. */
final class DelegationOperations {
  private final Agents agents;
  private final AgentCommandOperations commands;
  private final PageReader pageReader;

  private DelegationOperations(ServerModules serverModules, PageReader pageReader) {
    this.agents = serverModules.agents();
    this.commands = new AgentCommandOperations(serverModules.agents());
    this.pageReader = pageReader;
  }

  static List<Operation<?, ?>> operations(
      ServerModules serverModules, ServerConfig.ServerLimits serverLimits) {
    DelegationOperations here =
        new DelegationOperations(serverModules, PageReader.of(serverModules, serverLimits));
    return List.of(
        here.commands.operation(
            "create_delegation",
            "Delegates work to an agent, or to the first agent of a type that accepts it.",
            DelegateRequest.class,
            DelegateRequest::command,
            DelegationOperations::toJson),
        here.commands
            .operation(
                "transition_delegation",
                "Changes the status of a delegation.",
                MoveDelegationRequest.class,
                MoveDelegationRequest::command,
                DelegationOperations::toJson)
            .withTarget(Delegation.TABLE, MoveDelegationRequest::id),
        Operation.readOnly(
                "list_delegations",
                "Lists delegations, oldest first.",
                ListDelegationsRequest.class,
                here::listDelegations)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly(
                "get_delegation",
                "Returns a delegation and its progress.",
                RecordIdRequest.class,
                (Caller caller, RecordIdRequest input) ->
                    toJson(here.agents.view(caller.space(), view -> view.delegation(input.id()))))
            .withTarget(Delegation.TABLE, RecordIdRequest::id)
            .forAgents(RequiredPermissions.NOTHING),
        here.startHandoffOperation(),
        here.commands
            .operation(
                "transition_handoff",
                "Changes the status of a handoff.",
                MoveHandoffRequest.class,
                input -> new TransitionHandoff(input.agent(), input.id(), input.event()))
            .withTarget(Handoff.TABLE, MoveHandoffRequest::id),
        Operation.readOnly(
                "list_handoffs",
                "Lists handoffs, oldest first.",
                ListHandoffsRequest.class,
                here::listHandoffs)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly(
                "get_handoff",
                "Returns a handoff and its progress.",
                RecordIdRequest.class,
                (Caller caller, RecordIdRequest input) ->
                    here.agents.<Handoff>view(caller.space(), view -> view.handoff(input.id())))
            .withTarget(Handoff.TABLE, RecordIdRequest::id)
            .forAgents(RequiredPermissions.NOTHING),
        here.briefingOperation());
  }

  private static JsonNode toJson(Delegation delegation) {
    return AgentCommandOperations.withParsedJson(delegation, "result");
  }

  /** The request to delegate work. */
  record DelegateRequest(
      AgentId delegator,
      Recipient to,
      String description,
      Id trajectory,
      Optional<List<Id>> artifacts,
      Optional<List<Id>> notes,
      Optional<String> context,
      Optional<List<String>> constraints,
      Optional<String> within) {
    CreateDelegation command() {
      SharedRecords sharedRecords =
          new SharedRecords(artifacts.orElse(List.of()), notes.orElse(List.of()));
      return new CreateDelegation(
          delegator,
          to,
          new DelegatedTask(
              description, trajectory, sharedRecords, context, constraints.orElse(List.of())),
          AgentCommandOperations.parseDuration("within", within));
    }
  }

  /**
   * A status transition of a delegation: {@code words} report progress or a reason, a result
   * completes it.
   */
  record MoveDelegationRequest(
      Id id,
      AgentId agent,
      DelegationStatus.DelegationTransition event,
      Optional<String> words,
      Optional<JsonNode> result) {
    TransitionDelegation command() {
      boolean completes = event == DelegationStatus.DelegationTransition.COMPLETE;
      Optional<JsonNode> done = AgentCommandOperations.presentJson(result);
      if (completes ? words.isPresent() : done.isPresent()) {
        throw ServerException.invalidInput(
            completes ? "/words" : "/result",
            "A delegation is completed with 'result' and not 'words'; other events take no "
                + "'result'");
      }
      return new TransitionDelegation(
          agent, id, event, completes ? done.map(JsonNode::toString) : words);
    }
  }

  /**
   * The filter of the delegation list: by status, delegator or delegatee; or those that an agent,
   * or any agent of a type, could accept.
   */
  record ListDelegationsRequest(
      Optional<DelegationStatus> status,
      Optional<AgentId> delegator,
      Optional<AgentId> delegatee,
      Optional<AgentId> acceptableBy,
      Optional<Integer> limit,
      Optional<String> cursor,
      Optional<String> type) {
    PageReader.PageRequest pageRequest() {
      return new PageReader.PageRequest(limit, cursor);
    }

    Query<Delegation> query() {
      return indexQuery()
          .where(
              work ->
                  status.filter(wanted -> wanted != work.status()).isEmpty()
                      && delegator.filter(agent -> !agent.equals(work.delegator())).isEmpty());
    }

    private Query<Delegation> indexQuery() {
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

  private PageResponse<JsonNode> listDelegations(
      Caller caller, ListDelegationsRequest listDelegationsRequest) {
    PageResponse<Delegation> found =
        acceptableAddress(listDelegationsRequest.acceptableBy(), listDelegationsRequest.type())
            .map(
                by -> {
                  InputReader.requireExclusive(
                      parameterName(by),
                      listDelegationsRequest.status(),
                      listDelegationsRequest.delegator(),
                      listDelegationsRequest.delegatee());
                  return listPending(
                      caller,
                      by,
                      listDelegationsRequest.pageRequest(),
                      AgentsView::pendingDelegations);
                })
            .orElseGet(
                () ->
                    pageReader.read(
                        caller,
                        listDelegationsRequest.query(),
                        listDelegationsRequest.pageRequest()));
    return found.map(DelegationOperations::toJson);
  }

  /** Returns the recipient that could accept: one agent, or any of a type. */
  private static Optional<Recipient> acceptableAddress(
      Optional<AgentId> agent, Optional<String> type) {
    type.ifPresent(_ -> InputReader.requireExclusive("type", agent));
    return agent.map(Recipient::ofAgent).or(() -> type.map(Recipient::ofType));
  }

  private static String parameterName(Recipient by) {
    return by.agent().isPresent() ? "acceptable_by" : "type";
  }

  /** The reader of acceptable items, page by page. */
  private interface PendingItemReader<T> {
    ResultPage<T> readPage(AgentsView view, Recipient by, Optional<String> after, int limit);
  }

  private <T> PageResponse<T> listPending(
      Caller caller,
      Recipient by,
      PageReader.PageRequest page,
      PendingItemReader<T> pendingItemReader) {
    int size = pageReader.pageSize(page.limit());
    return PageResponse.of(
        agents.<ResultPage<T>>view(
            caller.space(), view -> pendingItemReader.readPage(view, by, page.cursor(), size)));
  }

  /** The request to hand over a task, with the named records and those that sharing includes. */
  record StartHandoffRequest(
      AgentId from,
      Recipient to,
      Id trajectory,
      String notes,
      String reason,
      Optional<List<String>> nextSteps,
      Optional<List<String>> blockers,
      Optional<List<String>> openQuestions,
      Optional<List<Id>> sharedArtifacts,
      Optional<List<Id>> sharedNotes,
      Optional<ContextSharing> sharing,
      Optional<Id> supersedes) {
    StartHandoff command() {
      return new StartHandoff(
          from,
          to,
          trajectory,
          new HandoffOutline(
              notes,
              nextSteps.orElse(List.of()),
              blockers.orElse(List.of()),
              openQuestions.orElse(List.of()),
              reason),
          new SharedRecords(sharedArtifacts.orElse(List.of()), sharedNotes.orElse(List.of())),
          sharing.orElse(ContextSharing.NEED_TO_KNOW),
          supersedes,
          Optional.empty());
    }
  }

  private Operation<StartHandoffRequest, Handoff> startHandoffOperation() {
    return Operation.<StartHandoffRequest, Handoff>transactional(
            "start_handoff",
            "Hands the current task of an agent over to another agent, with a snapshot of the task's context.",
            StartHandoffRequest.class,
            new StartHandoffChange(agents))
        .withRefusalRecorder(
            (caller, input, refusal) ->
                agents.recordRefusal(caller.space(), input.command(), refusal))
        .forAgents(input -> RequiredPermissions.forAgents(List.of(input.from())));
  }

  /** The start of a handoff, never part of another commit: its context is assembled before. */
  private record StartHandoffChange(Agents agents)
      implements Operation.OperationChange<StartHandoffRequest, Handoff> {
    @Override
    public Handoff apply(Transaction transaction, Caller caller, StartHandoffRequest input) {
      throw ServerException.notTransactional("start_handoff");
    }

    @Override
    public Operation.OperationChange<StartHandoffRequest, Handoff> prepare(
        Caller caller, StartHandoffRequest input) {
      AgentCommand<Handoff> ready = agents.prepareCommand(caller.space(), input.command());
      return (transaction, _, _) -> agents.run(transaction, ready);
    }

    @Override
    public boolean isCostly(StartHandoffRequest input) {
      return true;
    }
  }

  /** A status transition of a handoff. */
  record MoveHandoffRequest(Id id, AgentId agent, HandoffStatus.HandoffTransition event) {}

  /** The filter of the handoff list: by trajectory and status, or by possible receiver. */
  record ListHandoffsRequest(
      Optional<Id> trajectory,
      Optional<HandoffStatus> status,
      Optional<AgentId> acceptableBy,
      Optional<Integer> limit,
      Optional<String> cursor,
      Optional<String> type) {
    PageReader.PageRequest pageRequest() {
      return new PageReader.PageRequest(limit, cursor);
    }

    Query<Handoff> query() {
      return trajectory
          .map(id -> Query.over(Handoff.TABLE, "trajectory").equal(id))
          .or(() -> status.map(one -> Query.over(Handoff.TABLE, "status").equal(one.name())))
          .orElseGet(() -> Query.over(Handoff.TABLE))
          .where(handoff -> status.filter(wanted -> wanted != handoff.status()).isEmpty());
    }
  }

  private PageResponse<Handoff> listHandoffs(Caller caller, ListHandoffsRequest which) {
    return acceptableAddress(which.acceptableBy(), which.type())
        .map(
            by -> {
              InputReader.requireExclusive(parameterName(by), which.status(), which.trajectory());
              return listPending(caller, by, which.pageRequest(), AgentsView::pendingHandoffs);
            })
        .orElseGet(() -> pageReader.read(caller, which.query(), which.pageRequest()));
  }

  /** The request of a receiver to read a delegation or handoff. */
  record BriefingRequest(Id id, AgentId agent) {}

  /** Needs more than the read right, because a request by another agent is recorded. */
  private Operation<BriefingRequest, Briefing> briefingOperation() {
    return Operation.<BriefingRequest, Briefing>readOnly(
            "get_briefing",
            "Returns the records that an accepted delegation or handoff shares with its receiver.",
            BriefingRequest.class,
            (caller, input) -> agents.briefing(caller.space(), input.agent(), input.id()))
        .withRight(AccessRight.WRITE)
        .forAgents(input -> RequiredPermissions.forAgents(List.of(input.agent())));
  }
}
